import type { words as english } from '../en/search-engines.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'login.description':
    'سجّل الدخول إلى مستودع العطور بعنوان بريدك الإلكتروني أو عبر GitHub أو Google، وتابع من حيث توقفت.',
  'register.description': 'أنشئ حسابًا في مستودع العطور خلال دقيقة، واحفظ مخزون عطورك دقيقًا من أول زجاجة.',
  'about.description': 'ما هو مستودع العطور، ولمن صُنع، وكيف يبقى المخزون دقيقًا، وكيف تُحفظ البيانات، وكيف تتواصل معنا.',
  'home.description':
    'كل زجاجة معدودة، وكل حركة محفوظة. مستودع العطور دفتر مخزون لتجار العطور ومورّديها: دقيق، وحيّ على كل شاشة، وكل شيء فيه يمكن التراجع عنه.',
  'house.summary': 'العطور المتوفرة في مخزون {name}.',
  'blogs.description': 'إجابات عن ثلاثة أسئلة: جافاسكربت ونود، وSQL وNoSQL، وما الغاية من JWT.',
};
