import { nastyNames, nastyNumbers, nastyTexts, notNumbers } from './nasty-values.ts';
import type { Random } from './random.ts';

/** A JSON document before serialisation: fields may be duplicated, and numbers may exceed a double. */
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

/** Adds one defect anywhere in the tree. */
export function damage(tree: Tree, random: Random): Tree {
  if (tree instanceof Fields && tree.list.length > 0 && random.happens(0.75)) return damageFields(tree, random);
  if (Array.isArray(tree) && tree.length > 0 && random.happens(0.75)) {
    const at = random.whole(0, tree.length - 1);
    switch (random.whole(0, 4)) {
      case 0:
        return tree.toSpliced(at, 1);
      case 1:
        return [...tree, ...tree];
      case 2:
        return Array.from({ length: 201 }, () => tree[at] ?? null);
      default:
        return tree.with(at, damage(tree[at] ?? null, random));
    }
  }
  return nastyValue(random);
}

function damageFields({ list }: Fields, random: Random): Tree {
  const at = random.whole(0, list.length - 1);
  const [name, value] = list[at] as [string, Tree];
  switch (random.whole(0, 9)) {
    case 0:
      return new Fields(list.toSpliced(at, 1));
    case 1:
      return new Fields([...list, [random.pick(nastyNames), nastyValue(random)]]);
    case 2:
      return new Fields([...list, [name, nastyValue(random)]]);
    case 3:
      return new Fields(list.with(at, [random.happens(0.5) ? name.toUpperCase() : `${name} `, value]));
    case 4:
      return new Fields([['__proto__', new Fields([[name, value]])], ...list]);
    case 5:
      return new Fields(list.with(at, [name, deep(random.pick([3, 40, 2_000]), value)]));
    default:
      return new Fields(list.with(at, [name, damage(value, random)]));
  }
}

function nastyValue(random: Random): Tree {
  switch (random.whole(0, 9)) {
    case 0:
      return null;
    case 1:
      return random.happens(0.5);
    case 2:
      return random.pick<Tree>([[], [[]], new Fields([]), new Fields([['toString', 1]]), new Fields([['', '']])]);
    case 3:
    case 4:
      return new Raw(random.pick(nastyNumbers));
    case 5:
      return new Raw(random.pick(notNumbers));
    case 6:
      return deep(random.pick([2, 30, 1_000]), null);
    default:
      return random.pick(nastyTexts);
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

/** Breaks a JSON text: into bytes that are not JSON, not text, or far too many. */
export function breakJson(json: string, random: Random): Buffer {
  const bytes = Buffer.from(json);
  switch (random.whole(0, 12)) {
    case 0:
      return bytes.subarray(0, random.whole(0, bytes.length));
    case 1:
      return Buffer.concat([bytes, Buffer.from(random.pick(['}', ']', ',', ' x', '{}', '\u0000', '//', json]))]);
    case 2:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 3:
      return Buffer.from(json.replaceAll('"', "'"));
    case 4:
      return Buffer.from(json, 'utf16le');
    case 5: {
      const at = random.whole(0, bytes.length);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.whole(0x80, 0xff)]), bytes.subarray(at)]);
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
      return Buffer.from(json.replace(/[,:]/, random.pick([',,', '::', ';', '=', '\u0000'])));
    case 11:
      return Buffer.from(random.pick(['null', '""', '0', '[]', 'true', '"x"', '{', '\u0000', ' ', 'a=b&c=d']));
    default:
      return Buffer.from(random.pick(nastyTexts));
  }
}
