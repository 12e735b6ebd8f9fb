import type { words as english } from '../en/item.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'stock.caption': 'مخزون {name}',
  'stock.product': 'المنتج',
  'stock.price': 'السعر',
  'stock.dealer': 'المورّد',
  'stock.manage': 'إدارة المخزون',
  'stock.id': 'الرقم',
  'stock.available': 'الكمية المتاحة',
  'stock.availableCount': 'المتاح: {count}',
  'stock.amount': '$ {price}',
  'stock.usd': 'USD',
  'stock.about': 'معلومات المنتج',
  'stock.edit': 'تعديل',
  'stock.elsewhere': '{change} من شاشة أخرى',

  'Sold out': 'نفد',
  'Sold Available': 'متاح للبيع',
  Delivered: 'تسليم وحدة',
  'Sold Out': 'نفد',
  'stock.outOfStock.desktop': 'هذا الصنف غير متوفر في المخزون',
  'stock.outOfStock.phone': 'لا توجد وحدات في المخزون',

  'stock.delivered': 'سُلّم: {units} × {name}',
  'stock.restocked': 'أُضيف إلى المخزون: {units} × {name}',
  'stock.notDelivered': 'لم يُسلَّم {name}.',
  'stock.notRestocked': 'لم يُضف مخزون إلى {name}.',
  'stock.unanswered': 'لم يُجب المستودع. إن كان قد احتُسب رغم ذلك فسيُظهره العدد.',

  'restock.label': 'إعادة تزويد الصنف',
  'restock.placeholder': 'أدخل عدد الوحدات الواردة',
  'restock.hint': 'عدد صحيح لا يقل عن ١، يُضاف إلى الكمية المتاحة.',
  'restock.submit': 'تحديث المخزون',
  'restock.empty': 'أدخل عدد الوحدات من فضلك',
  'restock.notPositive': 'أدخل قيمة موجبة',
  'restock.notWhole': 'أدخل عددًا صحيحًا لا يقل عن ١، دون فواصل أو نقاط',
  'restock.tooMany': 'هذا أكثر مما يمكن عدّه. يتسع الرف لما لا يزيد على {most}.',

  'stock.unknown': 'لا يوجد صنف في هذا المكان من الرف.',
  'stock.notChecked': 'لا يوجد صنف هنا الآن. تعذّر التحقق مما إذا كان قد حُذف؛ جارٍ التحقق مرة أخرى.',
  'stock.deleted': 'حُذف هذا الصنف.',
  'stock.deletedNow': 'حُذف {name} بينما كنت تنظر إليه.',
  'stock.restore': 'استعادة',
  'stock.failed': 'تعذّر تحميل الصنف.',
  'stock.retry': 'حاول مرة أخرى',
};
