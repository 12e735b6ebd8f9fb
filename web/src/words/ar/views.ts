import type { words as english } from '../en/views.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'views.heading': 'المحفوظات',
  'views.lead': 'عوامل التصفية التي تستخدمها كثيرًا، تحت اسم واحد. تظهر طرق العرض المثبتة في الشريط الجانبي.',
  'views.own': 'طرق عرضك',
  'views.others': 'شاركها آخرون',
  'views.empty':
    'لا توجد طرق عرض محفوظة بعد. صفِّ قائمة أو رتّبها، ثم اضغط «حفظ طريقة العرض»: تفتحها من جديد بنقرة واحدة، وترى هنا عدد الأصناف المطابقة.',
  'views.failed': 'تعذّر تحميل طرق العرض المحفوظة.',
  'views.notFound': 'طريقة العرض هذه غير موجودة أو غير مشتركة معك.',
  'views.all': 'كل طرق العرض المحفوظة',

  'views.items': {
    zero: 'لا أصناف',
    one: 'صنف واحد',
    two: 'صنفان',
    few: '{count} أصناف',
    many: '{count} صنفًا',
    other: '{count} صنف',
  },
  'views.private': 'أنت فقط',
  'views.shared': 'مشتركة',
  'views.by': 'من {name}',
  'views.pinned': 'مثبتة',
  'views.pin': 'تثبيت «{name}» في الشريط الجانبي',
  'views.more': 'المزيد عن «{name}»',
  'views.edit': 'إعادة التسمية أو المشاركة',
  'views.copy': 'نسخ الرابط',
  'views.copied': 'نُسخ الرابط.',
  'views.notCopied': 'تعذّر نسخ الرابط: {link}',
  'views.delete': 'حذف',

  'views.save': 'حفظ طريقة العرض',
  'views.update': 'تحديث طريقة العرض',
  'views.isSaved': 'طريقة عرض محفوظة',
  'views.form.edit': 'تعديل طريقة العرض',
  'views.form.changed': 'تغيّرت عوامل التصفية منذ حفظ «{name}».',
  'views.form.name': 'الاسم',
  'views.form.shareHouse': 'مشاركة مع الدار',
  'views.form.shareWarehouse': 'مشاركة مع كل من في المستودع',
  'views.form.pin': 'تثبيت في الشريط الجانبي',
  'views.form.pinShared': 'تظهر في الشريط الجانبي لكل من يرى طريقة العرض.',
  'views.form.asNew': 'حفظ كطريقة عرض جديدة',
  'views.form.close': 'إغلاق',

  'views.done.save': 'حُفظت «{name}».',
  'views.done.change': 'عُدّلت «{name}».',
  'views.done.delete': 'حُذفت «{name}».',
  'views.notSaved': 'لم تُحفظ طريقة العرض.',
  'views.notDeleted': 'لم تُحذف طريقة العرض.',
};
