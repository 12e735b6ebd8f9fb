import type { Catalogue } from '../message.ts';

export const words = {
  'blogs.heading': 'Blogs',
  'blogs.lead': 'Three questions people ask us about how this product is built.',
  'blogs.contents': 'The questions',

  'blogs.javascript.question': 'JavaScript versus Node: what is the difference?',
  'blogs.javascript.short': 'JavaScript is a language. Node runs it outside the browser.',
  'blogs.javascript.1':
    'People compare them as if they were two brands of the same thing, but they are more like a recipe and a kitchen. JavaScript is the recipe: a language with rules about values, functions, objects and time, written down in a standard called ECMAScript. On its own it can add, compare and remember. It cannot open a file, answer a network call or draw a button, because the standard says nothing about any of those.',
  'blogs.javascript.2':
    'Those abilities come from wherever the language is running. A browser gives it a page, clicks, storage and a careful fence around your disk. Node gives it something else: files, sockets, processes, streams and cryptography. Node takes the engine from Chrome, which turns the language into machine code, combines it with a small library that can wait for many slow things at once, and leaves the page out. There is no document in Node, just as there is no file system in a browser tab.',
  'blogs.javascript.3':
    'Node is famous for how it waits. A stock server spends most of its life waiting: for the database, for the disk, for a phone on a bad connection. Instead of giving every visitor a thread that sleeps, Node runs one loop that checks what has become ready and runs just that. Thousands of open connections then cost little. The price is that a long calculation holds everybody up, so heavy work belongs in a worker or in the database.',
  'blogs.javascript.4':
    'In this warehouse both sides use the language. The rule that stock never goes below zero is one small function; the page uses it to choose between “Delivered” and “Sold Out”, and the server, on Node, uses the same function before it changes a quantity. Both share the language, but not the same powers: only the server can change the ledger, and that is how it should be.',

  'blogs.sql.question': 'SQL or NoSQL: which should store the stock data?',
  'blogs.sql.short':
    'If two rows must always agree, choose SQL. If each record stands alone and there are very many, consider NoSQL.',
  'blogs.sql.1':
    'An SQL database keeps tables whose shape is agreed in advance, and lets you ask questions nobody thought of when the tables were made: which supplier’s bottles sold out in March, and who counted them? Its real strength is the transaction: several changes happen together or not at all. And rules written into the tables hold even when the program that uses them is wrong.',
  'blogs.sql.2':
    'NoSQL is not one idea but four or five. A document store keeps each record whole, as a tree, the way a program already holds it. A key–value store works like a very fast cloakroom: you show a ticket and get your coat. A wide-column store spreads enormous logs over many machines. A graph database follows relationships. Most of them give up something that SQL promises (joins, fixed shapes, agreement between records at every instant) and gain simple scaling or the freedom to change shape.',
  'blogs.sql.3':
    'The difference has become smaller. PostgreSQL stores and searches JSON very well, and several document stores now support transactions. So the useful question is no longer “which is faster?” but “what must never be wrong?” For a feed of sensor readings, the answer may be “nothing much, provided we keep up”, and a store that scales easily across machines is the better tool.',
  'blogs.sql.4':
    'For a stock room the answer is strict. A bottle may not be delivered twice, the quantity must equal the sum of everything that ever came in or went out, and it may never go below zero, even when two people press the button in the same millisecond. Those are rules that involve several rows, and they are precisely what a relational database was built to keep. We use SQLite on one machine and PostgreSQL on many, with the same tables, and we let the database itself refuse what must not happen. A program can have a bug; the database’s rules still hold.',

  'blogs.jwt.question': 'What is the purpose of a JWT?',
  'blogs.jwt.short':
    'It lets a server recognise you without looking anything up. It is a signed note that anyone can read and nobody can change.',
  'blogs.jwt.1':
    'HTTP has no memory. Each request arrives as if from a stranger, so a server that has checked your password once needs a way to recognise you the next time. The classic way is a cloakroom ticket: a random number in a cookie, and a list on the server that says whose number it is. A ticket is simple, and the server can cancel it at any moment by deleting a line from the list.',
  'blogs.jwt.2':
    'A JSON Web Token works the other way round. Instead of a ticket, you carry a signed letter. It has three parts: a header that names the kind of signature, a set of claims (who you are, who issued the letter, when it expires), and a signature over both. Anyone who holds the right key can see that the letter is genuine and unaltered, without asking whoever issued it. That is its whole purpose: one service signs, many others can trust, and they need no shared list.',
  'blogs.jwt.3':
    'It is just as important to know what a JWT is not. It is not encrypted: the claims are merely encoded, and anyone who finds the letter can read it, so nothing private belongs inside. It is not easy to cancel either: it stays valid until the date written in it. And it must be checked with suspicion: decide in advance which algorithm you accept, verify the issuer, the audience and the expiry, and never rely on what the letter says about itself.',
  'blogs.jwt.4':
    'Our own rule follows from this. You stay logged in by a cookie that scripts cannot read, backed by a list of sessions that we can end at once. The token we hand out lasts an hour, opens only your own list of items, and stops working when you log out, because we check the session it names. A signed letter is a good thing to carry, as long as losing it costs little.',
} as const satisfies Catalogue;
