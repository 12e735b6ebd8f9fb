import type { Chance } from './chance.ts';
import { nastyNames, nastyNumbers, nastyTexts, notNumbers } from './nasty.ts';

/** JSON before it is written: fields may come twice, and a number may be one that no double holds. */
export type Tree = null | boolean | number | string | Raw | Fields | Tree[];

class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

class Fields {
  readonly list: [name: string, value: Tree][];
  constructor(list: [string, Tree][]) {
    this.list = list;
  }
}

export function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return value.map(treeOf);
  if (value !== null && typeof value === 'object')
    return new Fields(Object.entries(value).map(([name, one]) => [name, treeOf(one)]));
  return value as Tree;
}

export function textOf(tree: Tree): string {
  if (tree instanceof Raw) return tree.text;
  if (tree instanceof Fields)
    return `{${tree.list.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join(',')}}`;
  if (Array.isArray(tree)) return `[${tree.map(textOf).join(',')}]`;
  return JSON.stringify(tree);
}

/** One thing wrong, anywhere in the tree. */
export function spoil(tree: Tree, chance: Chance): Tree {
  if (tree instanceof Fields && tree.list.length > 0 && chance.happens(0.75)) return spoilFields(tree, chance);
  if (Array.isArray(tree) && tree.length > 0 && chance.happens(0.75)) {
    const at = chance.whole(0, tree.length - 1);
    switch (chance.whole(0, 4)) {
      case 0:
        return tree.toSpliced(at, 1);
      case 1:
        return [...tree, ...tree];
      case 2:
        return Array.from({ length: 201 }, () => tree[at] ?? null);
      default:
        return tree.with(at, spoil(tree[at] ?? null, chance));
    }
  }
  return nastyValue(chance);
}

function spoilFields({ list }: Fields, chance: Chance): Tree {
  const at = chance.whole(0, list.length - 1);
  const [name, value] = list[at] as [string, Tree];
  switch (chance.whole(0, 9)) {
    case 0:
      return new Fields(list.toSpliced(at, 1));
    case 1:
      return new Fields([...list, [chance.pick(nastyNames), nastyValue(chance)]]);
    case 2:
      return new Fields([...list, [name, nastyValue(chance)]]);
    case 3:
      return new Fields(list.with(at, [chance.happens(0.5) ? name.toUpperCase() : `${name} `, value]));
    case 4:
      return new Fields([['__proto__', new Fields([[name, value]])], ...list]);
    case 5:
      return new Fields(list.with(at, [name, deep(chance.pick([3, 40, 2_000]), value)]));
    default:
      return new Fields(list.with(at, [name, spoil(value, chance)]));
  }
}

function nastyValue(chance: Chance): Tree {
  switch (chance.whole(0, 9)) {
    case 0:
      return null;
    case 1:
      return chance.happens(0.5);
    case 2:
      return chance.pick<Tree>([[], [[]], new Fields([]), new Fields([['toString', 1]]), new Fields([['', '']])]);
    case 3:
    case 4:
      return new Raw(chance.pick(nastyNumbers));
    case 5:
      return new Raw(chance.pick(notNumbers));
    case 6:
      return deep(chance.pick([2, 30, 1_000]), null);
    default:
      return chance.pick(nastyTexts);
  }
}

function deep(levels: number, core: Tree): Tree {
  const inside = textOf(core);
  return new Raw(
    levels % 2 === 0
      ? `${'['.repeat(levels)}${inside}${']'.repeat(levels)}`
      : `${'{"a":'.repeat(levels)}${inside}${'}'.repeat(levels)}`,
  );
}

/** Bytes that are no JSON any more, or no text, or far too much of it. */
export function breakText(json: string, chance: Chance): Buffer {
  const bytes = Buffer.from(json);
  switch (chance.whole(0, 12)) {
    case 0:
      return bytes.subarray(0, chance.whole(0, bytes.length));
    case 1:
      return Buffer.concat([bytes, Buffer.from(chance.pick(['}', ']', ',', ' x', '{}', '\u0000', '//', json]))]);
    case 2:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 3:
      return Buffer.from(json.replaceAll('"', "'"));
    case 4:
      return Buffer.from(json, 'utf16le');
    case 5: {
      const at = chance.whole(0, bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance.whole(0x80, 0xff)]), bytes.subarray(at)]);
    }
    case 6:
      return Buffer.from([0xed, 0xa0, 0x80]);
    case 7:
      return Buffer.from('['.repeat(30_000));
    case 8:
      return Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    case 9:
      return Buffer.concat([bytes, Buffer.alloc(66_000, ' ')]);
    case 10:
      return Buffer.from(json.replace(/[,:]/, chance.pick([',,', '::', ';', '=', '\u0000'])));
    case 11:
      return Buffer.from(chance.pick(['null', '""', '0', '[]', 'true', '"x"', '{', '\u0000', ' ', 'a=b&c=d']));
    default:
      return Buffer.from(chance.pick(nastyTexts));
  }
}
