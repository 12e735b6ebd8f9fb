import type { words as english } from '../en/codes.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'camera.label': 'الكاميرا',
  'camera.start': 'المسح بالكاميرا',
  'camera.stop': 'إيقاف الكاميرا',
  'camera.starting': 'جارٍ تشغيل الكاميرا…',
  'camera.aim': 'ضع رمزًا شريطيًا واحدًا داخل الإطار',
  'camera.light': 'الإضاءة',
  'camera.denied': 'المتصفح يمنع الكاميرا عن هذا الموقع. اسمح بها في إعدادات المتصفح ثم أعد المحاولة.',
  'camera.missing': 'لم يُعثر على كاميرا في هذا الجهاز. استخدم ماسحًا يدويًا أو البحث.',
  'camera.insecure':
    'تعمل الكاميرا عبر https أو localhost فقط. اطلب عنوان https ممن يدير هذا الموقع، أو استخدم ماسحًا يدويًا أو البحث.',
  'camera.busy': 'تعذّر تشغيل الكاميرا. ربما يستخدمها تطبيق آخر.',
  'camera.noDecoder': 'تعذّر تحميل قارئ الرموز. تحقق من اتصالك وأعد المحاولة.',
  'camera.without': 'المتابعة دون الكاميرا',
};
