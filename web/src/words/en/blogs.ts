import type { Catalogue } from '../message.ts';

export const words = {
  'blogs.heading': 'Blogs',
  'blogs.lead': 'Three questions people ask us about how this product is built.',
  'blogs.contents': 'The questions',

  'blogs.javascript.question': 'JavaScript versus Node: what is the difference?',
  'blogs.javascript.short': 'JavaScript is a language. Node runs it outside the browser.',
  'blogs.javascript.1':
    'People compare them as if they were two brands of the same thing, but the comparison is closer to that of a recipe and a kitchen. JavaScript is the recipe: a language with rules about values, functions, objects and time, written down in a standard called ECMAScript. On its own it can add, compare and remember. It cannot open a file, answer a network call or draw a button, because the standard has no word for any of those.',
  'blogs.javascript.2':
    'Those words come from wherever the language is running. A browser lends it a page, clicks, storage and a careful fence around your disk. Node lends it something else: files, sockets, processes, streams and cryptography. It takes the engine from Chrome, which turns the language into machine code, joins it to a small library that waits for many slow things at once, and leaves the page out. There is no document in Node, just as there is no file system in a tab.',
  'blogs.javascript.3':
    'The waiting is what made Node famous. A stock server spends most of its life idle: for the database, for the disk, for a phone on a bad connection. Instead of giving every visitor a thread that sleeps, Node keeps one loop that asks what has become ready and runs just that. Thousands of open connections then cost little. The price is that a long calculation holds everybody up, so heavy work belongs in a worker or in the database.',
  'blogs.javascript.4':
    'In this warehouse both sides use the language. The rule that stock never goes below zero is one small function; the page uses it to choose between “Delivered” and “Sold Out”, and the server, on Node, uses the same function before it changes a quantity. The language is shared. The powers are not: only the server can change the ledger, and that is how it should be.',

  'blogs.sql.question': 'SQL or NoSQL: which should store the stock data?',
  'blogs.sql.short':
    'If two rows must always agree, choose SQL. If each record stands alone and there are very many, look at the others.',
  'blogs.sql.1':
    'An SQL database keeps tables whose shape is agreed in advance, and lets you ask questions nobody thought of when the tables were made: which supplier’s bottles sold out in March, and who counted them? Its real gift is the transaction. Several changes happen together or not at all, and rules written into the tables are kept even when the program above them is wrong.',
  'blogs.sql.2':
    'NoSQL is not one idea but four or five. A document store keeps each record whole, as a tree, the way a program already holds it. A key–value store is a very fast cloakroom. A wide-column store spreads enormous logs over many machines. A graph database follows relationships. Most of them give up something that SQL promises (joins, fixed shapes, agreement between records at every instant) and gain simple scaling or the freedom to change shape.',
  'blogs.sql.3':
    'The old border has softened. PostgreSQL stores and searches JSON very well, and several document stores now support transactions. So the useful question is no longer “which is faster?” but “what must never be wrong?” For a feed of sensor readings, the answer may be “nothing much, provided we keep up”, and a store that scales easily across machines is the better tool.',
  'blogs.sql.4':
    'For a stock room the answer is strict. A bottle may not be delivered twice, the number on the shelf must equal the sum of everything that ever moved it, and no shelf may go below zero, even when two people press the button in the same millisecond. Those are promises between rows, and they are precisely what a relational database was built to keep. We use SQLite on one machine and PostgreSQL on many, with the same tables, and we let the database itself refuse what must not happen. Software forgets; constraints do not.',

  'blogs.jwt.question': 'What is the purpose of a JWT?',
  'blogs.jwt.short':
    'It lets a server trust what it decided earlier without looking it up: a signed note that anyone can read and nobody can change.',
  'blogs.jwt.1':
    'HTTP has no memory. Each request arrives as if from a stranger, so a server that has checked your password once needs a way to recognise you the next time. The classic way is a cloakroom ticket: a random number in a cookie, and a list on the server that says whose number it is. It is simple, and it can be torn up at any moment by deleting a line from the list.',
  'blogs.jwt.2':
    'A JSON Web Token turns this round. Instead of a ticket it is a sealed letter that you carry yourself. It has three parts: a header that names the kind of seal, a set of claims (who you are, who wrote this, when it ends), and a signature over both. Anyone who holds the right key can see that the letter is genuine and unaltered, without asking whoever wrote it. That is its whole purpose: one service signs, many others can trust, and none of them needs a shared list.',
  'blogs.jwt.3':
    'What it is not matters as much. It is not encrypted: the claims are merely encoded, and anyone who finds the letter can read it, so nothing private belongs inside. It is not easy to take back either: a seal stays good until the date written in it. And it must be checked with suspicion: the expected algorithm fixed in advance, the issuer, the audience and the expiry all verified, never taken from the letter’s own word.',
  'blogs.jwt.4':
    'Our own rule follows from this. You stay logged in by a cookie that scripts cannot read, backed by a list of sessions that we can end at once. The token we hand out lasts an hour, opens only your own list of items, and stops working when you log out, because we check the session it names. A sealed letter is a good thing to carry, as long as losing it costs little.',
} as const satisfies Catalogue;
