import type { words as english } from '../en/views.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'views.heading': 'Vues enregistrées',
  'views.lead': 'Les filtres que vous utilisez souvent, sous un nom. Les vues épinglées sont dans la barre latérale.',
  'views.own': 'Vos vues',
  'views.others': 'Partagées par d’autres',
  'views.empty':
    'Aucune vue enregistrée. Filtrez ou triez une liste, puis appuyez sur « Enregistrer la vue » : vous la rouvrez en un clic et voyez ici combien d’articles correspondent.',
  'views.failed': 'Impossible de charger les vues enregistrées.',
  'views.notFound': 'Cette vue n’existe pas, ou n’est pas partagée avec vous.',
  'views.all': 'Toutes les vues enregistrées',

  'views.items': { one: '{count} article', many: '{count} d’articles', other: '{count} articles' },
  'views.private': 'Vous seul',
  'views.shared': 'Partagée',
  'views.by': 'Par {name}',
  'views.pinned': 'Épinglée',
  'views.pin': 'Épingler « {name} » dans la barre latérale',
  'views.more': 'Plus d’actions pour « {name} »',
  'views.edit': 'Renommer ou partager',
  'views.copy': 'Copier le lien',
  'views.copied': 'Lien copié.',
  'views.notCopied': 'Impossible de copier le lien : {link}',
  'views.delete': 'Supprimer',

  'views.save': 'Enregistrer la vue',
  'views.update': 'Mettre à jour la vue',
  'views.isSaved': 'Vue enregistrée',
  'views.form.edit': 'Modifier la vue',
  'views.form.changed': 'Les filtres ont changé depuis l’enregistrement de « {name} ».',
  'views.form.name': 'Nom',
  'views.form.shareHouse': 'Partager avec la maison',
  'views.form.shareWarehouse': 'Partager avec tout l’entrepôt',
  'views.form.pin': 'Épingler dans la barre latérale',
  'views.form.pinShared': 'Tous ceux qui voient la vue l’auront dans leur barre latérale.',
  'views.form.asNew': 'Enregistrer comme nouvelle vue',
  'views.form.close': 'Fermer',

  'views.done.save': '« {name} » a été enregistrée.',
  'views.done.change': '« {name} » a été modifiée.',
  'views.done.delete': '« {name} » a été supprimée.',
  'views.notSaved': 'La vue n’a pas été enregistrée.',
  'views.notDeleted': 'La vue n’a pas été supprimée.',
};
