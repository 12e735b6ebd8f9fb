import { dictionary } from '@zxcvbn-ts/language-common';

/** Nearly fifty thousand passwords from lists of stolen ones, the most used first; all in small letters. */
const STOLEN = new Set(dictionary['passwords-common']);

/*
 * And the passwords made after the same patterns, as the words they are made of. A password is one of them when it is such a word
 * (or two, or one twice) with a few digits or signs around it, or a walk over the keyboard, in any case and with the
 * usual swaps (@ for a, 0 for o). That covers far more than a list of the same length.
 */
const WORDS = new Set(
  `password passwort passord motdepasse contrasena senha parola wachtwoord haslo heslo passphrase passcode pass pwd
  admin administrator root superuser sysadmin user username guest test testing tester demo default login logon signin
  access secret private change changeme letmein letmeinnow openup opensesame opensaysme welcome welcomeback hello
  helloworld hallo bonjour goodbye whatever nothing something anything everything nobody somebody temporary temp
  qwerty qwertz azerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc poiuytrewq lkjhgfdsa
  mnbvcxz asdfasdf qweasd qweasdzxc qwerasdf asdzxc zaqwsx zaqxsw abc abcd abcde abcdef abcdefg abcdefgh abcdefghi
  abcabc aaa bbb xxx zzz qqq iloveyou iloveu ilovehim iloveher ilovegod ilovejesus ilovemyself loveyou lovelove
  lovers loverboy lovely love sweetheart sweetie sweet honey honeybee baby babygirl babyboy babydoll angel angels
  princess prince queen king kingdom queenbee monkey monkeys dragon dragons dragonball dragonfly tiger tigers tigger
  lion eagle eagles falcon panther wolf wolves bear bears shark phoenix unicorn butterfly chicken turtle dolphin
  elephant kitten kitty hellokitty puppy doggie doggy buster shadow midnight sunshine sunflower sunset moonlight
  starlight rainbow summer winter spring autumn fall january february march april may june july august september
  october november december monday tuesday wednesday thursday friday saturday sunday football soccer baseball
  basketball hockey tennis golf golfer volleyball softball lacrosse cricket rugby wrestling skateboard surfing fishing
  hunter hunting racing driver superman batman spiderman ironman wonderwoman hulk avengers pokemon pikachu naruto
  sasuke goku vegeta starwars startrek skywalker darthvader yoda jedi gandalf frodo matrix terminator gladiator
  warrior ninja samurai knight wizard magic merlin pirate rockstar rocknroll metallica nirvana slipknot beatles
  blink eminem tupac michael michelle jennifer jessica jordan joshua daniel andrew anthony ashley amanda nicole
  samantha stephanie elizabeth danielle christian christopher alexander alexandra alexis benjamin brandon brittany
  caroline catherine charles charlie charlotte chelsea david dennis diana edward emily eric fernando francesco gabriel
  george gregory hannah heather isabella jackson jacob james jasmine jason jeffrey jeremy john jonathan joseph julian
  justin katherine kevin kimberly laura lauren leonardo liverpool madison margaret maria marina martin matthew maxwell
  melissa mercedes miguel monica morgan natalie natasha nathan nicholas oliver olivia patricia patrick peter philip
  rachel raymond rebecca richard robert roberto ronaldo russell sabrina sandra sebastian sophie steven sydney taylor
  theresa thomas timothy tyler vanessa veronica victor victoria vincent william william zachary arsenal barcelona
  realmadrid juventus manchester manutd chelseafc everton rangers celtic yankees redsox cowboys steelers packers
  raiders patriots broncos lakers celtics bulls ferrari porsche mustang corvette camaro harley davidson toyota honda
  yamaha suzuki mercedesbenz lamborghini audi bmw volkswagen computer internet network server database windows
  microsoft google facebook twitter instagram youtube linkedin amazon apple iphone android samsung nokia sony
  playstation xbox nintendo minecraft fortnite roblox counterstrike callofduty warcraft starcraft runescape gamer
  gaming player player1 master masterkey mastermind jesus jesuschrist christ god godisgood blessed blessing faith
  heaven hope grace trinity genesis spirit holyspirit freedom peace forever always never friend friends bestfriend
  bestfriends family mother father mommy daddy mummy sister brother grandma beautiful pretty gorgeous handsome sexy
  hottie cutie cutiepie playboy player bitch fuckyou fuckoff fucker asshole bullshit pussy dick sex porn naked
  chocolate cookie cookies cookiemonster banana bananas strawberry cherry apples orange lemon peaches peanut pepper
  ginger cinnamon vanilla coffee pizza cheese cheesecake chicken potato tomato butter sugar candy candyman diamond
  diamonds crystal silver gold golden platinum emerald sapphire purple yellow green blue black white red pink orange
  blackberry blackcat blackjack whitney snowball snowman snoopy garfield mickey mickeymouse minnie donald tinkerbell
  cinderella barbie america american england english france french germany german spain spanish italy italian
  canada mexico brazil brasil argentina colombia india indian china chinese japan japanese russia london paris berlin
  madrid roma newyork chicago california florida texas dallas houston phoenix boston atlanta denver hawaii vegas
  lasvegas australia melbourne brooklyn manhattan hollywood money dollar dollars million millionaire rich business
  company office manager director secretary service support customer sales market marketing finance account
  accounting bank banking security secure safety trustno trustnoone trustme ihateyou hateyou gofuckyourself
  perfume parfum perfumes perfumer fragrance warehouse inventory dealer supplier stock stocks storage bottle cologne
  scent musk amber jasmin lavender rose roses flower flowers garden nature ocean beach island paradise thunder
  lightning storm fire firefly firebird phoenix water earth planet galaxy universe cosmos space rocket apollo
  einstein newton galileo school college university student teacher doctor nurse police fireman soldier captain
  general president victory winner champion legend hero heroes killer killers assassin sniper shooter bullet gunner
  guitar guitars piano music musica dancer dancing singer drummer disco party happy happiness happyday smile smiley
  lucky luckyone crazy funny cool coolness awesome amazing fantastic super superstar supernova turbo maximum infinity
  number numbers digital energy power powerful strong strength courage wisdom knowledge destiny fantasy dream dreams
  dreamer mystery ghost vampire zombie demon devil satan lucifer hell darkness chaos`.split(/\s+/),
);

const WALKS = [
  'qwertyuiop[]',
  'asdfghjkl;',
  'zxcvbnm,./',
  'qwertzuiop',
  'azertyuiop',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  'qazwsxedcrfvtgbyhnujm',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8',
  '1a2b3c4d5e6f7g8h',
  '147258369',
  '789456123',
  '741852963',
  '159753456852',
];
const paths = WALKS.flatMap((walk) => [walk.repeat(2), [...walk].reverse().join('').repeat(2)]);

const SWAPS: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o', $: 's', '5': 's' };

export function isCommonPassword(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase().replace(/\s/g, '');
  const word = core(text);
  return (
    STOLEN.has(text) ||
    isDate(text) ||
    isRepeated(text) ||
    isWalk(text) ||
    isWalk(word) ||
    isWordly(word) ||
    isWordly(unswapped(word))
  );
}

function unswapped(word: string): string {
  return core(word.replace(/[@4310!$5]/g, (sign) => SWAPS[sign] ?? sign));
}

function isWordly(word: string): boolean {
  if (word === '' || WORDS.has(word)) return true;
  for (let cut = 3; cut <= word.length - 3; cut++) {
    if (WORDS.has(word.slice(0, cut)) && WORDS.has(word.slice(cut))) return true;
  }
  return false;
}

function isRepeated(text: string): boolean {
  return /^(.{1,10}?)\1+$/u.test(text);
}

/** Without the few digits and signs that people put around a word. */
function core(text: string): string {
  return text.replace(/^[!-@[-`{-~]{0,4}/, '').replace(/[!-@[-`{-~]{0,6}$/, '');
}

function isWalk(text: string): boolean {
  if (text.length >= 4 && paths.some((path) => path.includes(text))) return true;
  // Several short walks in a row: qwerty12345, abc123456.
  const pieces = text.match(/[a-z]+|[0-9]+|[^a-z0-9]+/g) ?? [];
  return (
    pieces.length > 1 &&
    pieces.every((piece) => piece.length <= 1 || /^(.)\1+$/.test(piece) || paths.some((path) => path.includes(piece)))
  );
}

function isDate(text: string): boolean {
  return /^(?:[0-9]{8}|[0-9]{1,2}[./-][0-9]{1,2}[./-][0-9]{2,4}|[0-9]{4}[./-][0-9]{1,2}[./-][0-9]{1,2})$/.test(text);
}

/** The whole password is the person's own name or address. */
export function isPersonal(password: string, person: { email: string; name: string }): boolean {
  const fold = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  const [local = '', domain = ''] = person.email.split('@');
  const given = fold(password);
  return [person.email, local, domain, person.name].some((own) => fold(own) !== '' && fold(own) === given);
}
