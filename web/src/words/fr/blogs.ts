import type { words as english } from '../en/blogs.ts';
import type { Translation } from '../message.ts';

export const words: Translation<typeof english> = {
  'blogs.heading': 'Articles',
  'blogs.lead': 'Trois questions que l’on nous pose sur la façon dont ce produit est construit.',
  'blogs.contents': 'Les questions',

  'blogs.javascript.question': 'JavaScript ou Node : quelle est la différence ?',
  'blogs.javascript.short': 'JavaScript est un langage. Node l’exécute hors du navigateur.',
  'blogs.javascript.1':
    'On les compare comme deux marques d’un même produit ; le rapport est plutôt celui d’une recette et d’une cuisine. JavaScript est la recette : un langage, avec ses règles sur les valeurs, les fonctions, les objets et le temps, couchées dans une norme nommée ECMAScript. Seul, il sait additionner, comparer et retenir. Il ne sait ni ouvrir un fichier, ni répondre à un appel réseau, ni dessiner un bouton : la norme n’en dit rien.',
  'blogs.javascript.2':
    'Ces capacités viennent du lieu où le langage s’exécute. Un navigateur lui prête une page, des clics, un peu de mémoire, et une clôture prudente autour de votre disque. Node lui prête autre chose : fichiers, connexions, processus, flux, cryptographie. Il prend le moteur de Chrome, qui change le langage en code machine, le joint à une petite bibliothèque capable d’attendre beaucoup de choses lentes à la fois, et laisse la page de côté. Il n’y a pas de document dans Node, comme il n’y a pas de système de fichiers dans un onglet.',
  'blogs.javascript.3':
    'Node est connu pour sa façon d’attendre. Un serveur de stock passe l’essentiel de sa vie à attendre : la base, le disque, un téléphone mal connecté. Au lieu de donner à chaque visiteur un fil qui dort, Node tient une seule boucle qui demande ce qui est prêt et n’exécute que cela. Des milliers de connexions ouvertes coûtent alors peu. En retour, un long calcul fait patienter tout le monde : le travail lourd va dans un autre fil ou dans la base.',
  'blogs.javascript.4':
    'Dans cet entrepôt, les deux côtés utilisent le langage. La règle selon laquelle un stock ne descend jamais sous zéro est une petite fonction ; la page s’en sert pour choisir le libellé du bouton, et le serveur, sous Node, se sert de la même avant de changer une quantité. Le langage est partagé. Les pouvoirs ne le sont pas : seul le serveur modifie le registre, et c’est bien ainsi.',

  'blogs.sql.question': 'SQL ou NoSQL : à qui confier le stock ?',
  'blogs.sql.short':
    'Si deux lignes doivent toujours s’accorder, prenez SQL. Si chaque fiche vit seule et qu’il y en a énormément, pensez à NoSQL.',
  'blogs.sql.1':
    'Une base SQL tient des tables dont la forme est convenue d’avance, et permet de poser des questions auxquelles nul n’avait songé : de quel fournisseur les flacons étaient-ils épuisés en mars, et qui les a comptés ? Sa vraie force est la transaction. Plusieurs changements se font ensemble ou pas du tout, et les règles inscrites dans les tables tiennent même quand le programme au-dessus se trompe.',
  'blogs.sql.2':
    'NoSQL n’est pas une idée mais quatre ou cinq. Une base de documents garde chaque fiche entière, en arbre, comme le programme la tient déjà. Une base clé-valeur est comme un vestiaire très rapide : on montre un ticket et on reçoit son manteau. Une base en colonnes larges répartit d’immenses journaux sur beaucoup de machines. Une base de graphes suit les liens. La plupart renoncent à une promesse de SQL (jointures, formes fixes, accord des fiches à chaque instant) et y gagnent une croissance simple ou une forme libre.',
  'blogs.sql.3':
    'La différence s’est réduite. PostgreSQL range et cherche fort bien du JSON, et plusieurs bases de documents ont appris les transactions. La question utile n’est donc plus « laquelle est la plus rapide ? » mais « qu’est-ce qui ne doit jamais être faux ? » Pour un flot de mesures de capteurs, la réponse peut être « pas grand-chose, pourvu que l’on suive », et une base qui s’étend sans peine est le meilleur outil.',
  'blogs.sql.4':
    'Pour une réserve, la réponse est stricte. Un flacon ne peut être livré deux fois, la quantité doit égaler la somme de tout ce qui est entré ou sorti, et elle ne descend jamais sous zéro, même si deux personnes appuient dans la même milliseconde. Ce sont des règles qui portent sur plusieurs lignes, et c’est précisément ce qu’une base relationnelle sait tenir. Nous employons SQLite sur une machine et PostgreSQL sur plusieurs, avec les mêmes tables, et laissons la base refuser elle-même ce qui ne doit pas arriver. Un programme peut avoir un défaut ; les règles de la base tiennent toujours.',

  'blogs.jwt.question': 'À quoi sert un JWT ?',
  'blogs.jwt.short':
    'Il permet à un serveur de vous reconnaître sans rien rechercher. C’est un billet signé que tout le monde peut lire et que personne ne peut modifier.',
  'blogs.jwt.1':
    'HTTP n’a pas de mémoire. Chaque requête arrive comme celle d’un inconnu, et un serveur qui a vérifié une fois votre mot de passe doit pouvoir vous reconnaître ensuite. La manière classique est le ticket de vestiaire : un nombre au hasard dans un cookie, et sur le serveur une liste qui dit à qui il est. Un ticket est simple, et le serveur peut l’annuler à tout moment en effaçant une ligne de la liste.',
  'blogs.jwt.2':
    'Un JSON Web Token fait l’inverse. Au lieu d’un ticket, vous portez une lettre signée. Elle a trois parties : un en-tête qui nomme le type de signature, des déclarations (qui vous êtes, qui a émis la lettre, quand elle expire) et une signature sur le tout. Quiconque détient la bonne clé voit que la lettre est authentique et intacte, sans interroger celui qui l’a émise. Voilà tout son but : un service signe, beaucoup d’autres peuvent lui faire confiance, sans liste commune.',
  'blogs.jwt.3':
    'Il est tout aussi important de savoir ce qu’un JWT n’est pas. Il n’est pas chiffré : les déclarations ne sont qu’encodées, et qui trouve la lettre peut la lire ; rien de privé n’y a sa place. Il n’est pas facile à annuler non plus : il reste valable jusqu’à la date qu’il porte. Et il faut le vérifier avec méfiance : fixez d’avance l’algorithme que vous acceptez, contrôlez l’émetteur, le destinataire et l’échéance, et ne vous fiez jamais à ce que la lettre dit d’elle-même.',
  'blogs.jwt.4':
    'Notre propre règle en découle. Vous restez connecté par un cookie que les scripts ne peuvent pas lire, avec derrière lui une liste de sessions que l’on peut fermer sur-le-champ. Le jeton que nous remettons vit une heure, n’ouvre que votre propre liste d’articles et cesse de fonctionner quand vous vous déconnectez, car nous vérifions la session qu’il nomme. Une lettre signée est bonne à porter, tant que la perdre coûte peu.',
};
