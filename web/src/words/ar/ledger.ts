import type { words as english } from '../en/ledger.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'stock.outOfStock.desktop': 'هذا الصنف غير متوفر في المخزون',
  'stock.outOfStock.phone': 'لا توجد وحدات في المخزون',
  'stock.delivered': 'سُلّم: {units} × {name}',
  'stock.restocked': 'أُعيد تخزين: {units} × {name}',
  'stock.notDelivered': 'لم يُسلَّم {name}.',
  'stock.notRestocked': 'لم يُعَد تخزين {name}.',
  'stock.noAnswer': 'لم يرد الخادم. إن كان التغيير قد تم فستتحدّث الكمية.',
  'stock.counted': 'صُحّح {name}: {before} ← {after}',
  'stock.confirmed': 'تأكدت الكمية: {count} × {name}',
  'stock.tooFew': 'لم يُسلَّم {name}: لا يتوفر سوى {count}.',
  'stock.notCounted': 'لم يُحفظ جرد {name}.',

  'reason.breakage': 'كسر',
  'reason.tester': 'عيّنة تجربة',
  'reason.theft': 'سرقة',
  'reason.miscount': 'خطأ في العد',
  'reason.other': 'سبب آخر',
};
