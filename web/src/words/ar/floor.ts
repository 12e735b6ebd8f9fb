import type { words as english } from '../en/floor.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'floor.mode': 'ما يفعله المسح',
  'floor.deliver': 'تسليم',
  'floor.receive': 'استلام',
  'floor.count': 'جرد',
  'floor.find': 'بحث',
  'floor.sound': 'الصوت',
  'floor.vibration': 'الاهتزاز',

  'floor.start.deliver': 'امسح زجاجة لتسليمها، أو المس صنفًا.',
  'floor.start.receive': 'امسح زجاجة لاستلامها، أو المس صنفًا.',
  'floor.start.count': 'امسح الزجاجات واحدة تلو الأخرى لعدّها، أو المس صنفًا واكتب العدد.',
  'floor.start.find': 'امسح زجاجة لفتح صفحتها، أو المس صنفًا.',

  'floor.journal': 'ما تم للتو',
  'floor.earlier': {
    zero: 'لا شيء قبل ذلك',
    one: 'واحد قبل ذلك',
    two: 'اثنان قبل ذلك',
    few: '{count} قبل ذلك',
    many: '{count} قبل ذلك',
    other: '{count} قبل ذلك',
  },
  'floor.left': 'متبقٍّ',
  'floor.undone': 'تم التراجع',
  'floor.units': 'وحدات {name}',
  'floor.dismiss': 'إغلاق',
  'floor.says.deliver': 'سُلّم: {units} × {name}',
  'floor.says.receive': 'استُلم: {units} × {name}',
  'floor.says.count': 'عُدّ: {count} × {name}',
  'floor.says.undone': 'تم التراجع: {units} × {name}',

  'floor.refused.deliver': 'لم يُسلَّم',
  'floor.refused.receive': 'لم يُستلَم',
  'floor.refused.count': 'لم يُحفظ الجرد',
  'floor.countIt': 'جرد الصنف',
  'floor.receiveIt': 'استلام وحدة',

  'floor.looking': 'جارٍ البحث عن {code}…',
  'floor.attach': 'ربطه بصنف',
  'floor.attaching': 'المس الصنف الذي يحمل الرمز {code}.',
  'floor.attached': 'أصبح {name} يحمل الرمز {code}.',
  'floor.notAttached': 'لم يُربط الرمز {code}.',

  'floor.countTogether': 'الجرد مع الآخرين',
  'floor.countedWas': 'معدودة، وكان المسجل {count}',
  'floor.asRecorded': 'معدودة، كما هو مسجل',

  'floor.search': 'ابحث عن صنف',
  'floor.placeholder': 'الاسم أو المورّد أو الرمز',
  'floor.recent': 'الأصناف الأخيرة والأكثر استخدامًا',
  'floor.results': 'الأصناف الموجودة',
  'floor.onHand': 'متوفر',
  'floor.tap.deliver': 'تسليم وحدة:',
  'floor.tap.receive': 'استلام وحدة:',
  'floor.tap.count': 'جرد:',
  'floor.tap.attach': 'ربط الرمز بـ:',
  'floor.noItems': 'لا توجد أصناف بعد.',
  'floor.nothing': 'لا أصناف تطابق «{q}».',
  'floor.loadFailed': 'تعذّر تحميل الأصناف.',
};
