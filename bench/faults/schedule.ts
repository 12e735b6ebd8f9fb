import { chance, uuidOf } from './random.ts';

/** Faults of a machine, a process or a disk. */
export const faultKinds = [
  'server-kill',
  'server-freeze',
  'clock-step',
  'disk-full',
  'postgres-kill',
  'postgres-freeze',
  'pool-exhausted',
  'database-cut',
  'database-delay',
  'primary-lost',
  'node-kill',
  'node-freeze',
  'standby-kill',
  'machine-kill',
  'etcd-kill',
  'etcd-freeze',
  'balancer-kill',
  'switch-over',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Fault = {
  kind: FaultKind;
  /** It is injected when this many operations have started. */
  at: number;
  lastsMs: number;
  /** From 0 to 1: which one, if there are several; and how much, if it varies. */
  which: number;
  size: number;
};

/** Network faults of one request. */
export const lineKinds = ['cut-request', 'cut-answer', 'lost-answer', 'delay', 'twice', 'overtaken', 'echo'] as const;
export type LineKind = (typeof lineKinds)[number];

export type Mischief =
  | { kind: 'none' }
  | { kind: 'cut-request' | 'cut-answer'; atByte: number }
  | { kind: 'lost-answer' | 'twice' }
  | { kind: 'delay'; requestMs: number; answerMs: number }
  /** The first transmission is delayed for so long that its retry arrives first. */
  | { kind: 'overtaken'; requestMs: number }
  /** Sent once more after this many further operations of that person, although it was answered. */
  | { kind: 'echo'; after: number };

/** An item by its number in the plan; the server chooses its id. */
type Wish =
  | { what: 'put'; shelf: number; base: number; delta: number }
  | { what: 'move'; shelf: number; delta: number }
  | { what: 'undo'; shelf: number; movement: string }
  | { what: 'create'; quantity: number }
  | { what: 'delete' | 'restore' | 'read-item' | 'read-ledger'; shelf: number }
  | { what: 'read-list' };

export type Operation = { client: number; number: number; key: string; wish: Wish };

export type Plan = {
  seed: string;
  clients: number;
  operationsEach: number;
  /** The initial quantity of each item. */
  shelves: number[];
  faults: Fault[];
  operation(client: number, number: number): Operation;
  /** The network fault of the n-th transmission of an operation. */
  mischief(operation: Operation, attempt: number): Mischief;
};

export type PlanOptions = {
  seed: string;
  kinds: readonly FaultKind[];
  faults: number;
  clients: number;
  /** Operations between two faults. */
  spacing: number;
  /** The rate of network faults: 1 cuts one response in a hundred. */
  noise: number;
  /** Shortens every fault by this factor. */
  haste?: number;
};

/** All random decisions are made here, from the seed alone. */
export function planRun({ seed, kinds, faults, clients, spacing, noise, haste = 1 }: PlanOptions): Plan {
  const operationsEach = Math.ceil((spacing * (faults + 1)) / clients);
  const operation = (client: number, number: number) => planOperation(seed, client, number);
  return {
    seed,
    clients,
    operationsEach,
    shelves: SHELVES,
    faults: planFaults(seed, kinds, faults, spacing).map((fault) => ({ ...fault, lastsMs: fault.lastsMs / haste })),
    operation,
    mischief: (operation, attempt) => planMischief(seed, operation, attempt, noise),
  };
}

// Items that never run out, two that do, and two that are deleted and restored.
const SHELVES = [1_000_000, 1_000_000, 1_000_000, 1_000_000, 30, 30, 500_000, 500_000];
const SCARCE = [4, 5];
const REMOVABLE = [6, 7];

/** Every kind once before any kind twice, in a new order each time. */
function planFaults(seed: string, kinds: readonly FaultKind[], count: number, spacing: number): Fault[] {
  const random = chance(seed, 'faults');
  const faults: Fault[] = [];
  let left: FaultKind[] = [];
  while (faults.length < count && kinds.length > 0) {
    if (left.length === 0) left = [...kinds];
    const kind = random.one(left);
    left.splice(left.indexOf(kind), 1);
    const [least, most] = LASTS_MS[kind];
    const at = spacing * (faults.length + 1) + random.whole(-Math.floor(spacing / 4), Math.floor(spacing / 4));
    faults.push({ kind, at, lastsMs: random.whole(least, most), which: random.next(), size: random.next() });
  }
  return faults;
}

const LASTS_MS: Record<FaultKind, [least: number, most: number]> = {
  'server-kill': [0, 300],
  'server-freeze': [100, 1_500],
  'clock-step': [200, 800],
  'disk-full': [200, 1_200],
  'postgres-kill': [0, 300],
  'postgres-freeze': [100, 1_500],
  'pool-exhausted': [300, 4_000],
  'database-cut': [0, 200],
  'database-delay': [200, 1_200],
  'primary-lost': [800, 1_200],
  'node-kill': [1_000, 28_000],
  'node-freeze': [1_000, 28_000],
  'standby-kill': [500, 8_000],
  'machine-kill': [1_000, 28_000],
  'etcd-kill': [500, 8_000],
  'etcd-freeze': [500, 8_000],
  'balancer-kill': [0, 500],
  'switch-over': [0, 0],
};

const WISHES = {
  put: 45,
  move: 15,
  undo: 6,
  create: 1,
  delete: 1,
  restore: 2,
  'read-item': 18,
  'read-ledger': 7,
  'read-list': 5,
} as const satisfies Record<Wish['what'], number>;

function planOperation(seed: string, client: number, number: number): Operation {
  const random = chance(seed, client, number);
  const what = random.weighted(WISHES);
  const key = uuidOf(seed, client, number);
  const wish = (): Wish => {
    switch (what) {
      case 'put':
      case 'move': {
        const shelf = random.whole(0, SHELVES.length - 1);
        const delta = SCARCE.includes(shelf) ? random.one([-4, -3, -1, -1, 3, 4]) : random.one([-3, -2, -1, -1, -1, 5]);
        // A screen may be arbitrarily stale: only the difference counts.
        return what === 'put' ? { what, shelf, delta, base: random.whole(10, 999) } : { what, shelf, delta };
      }
      case 'undo':
        return undoOfEarlier(seed, client, number) ?? { what: 'read-list' };
      case 'create':
        return { what, quantity: random.whole(0, 1_000) };
      case 'delete':
      case 'restore':
        return { what, shelf: random.one(REMOVABLE) };
      case 'read-item':
      case 'read-ledger':
        return { what, shelf: random.whole(0, SHELVES.length - 1) };
      case 'read-list':
        return { what };
    }
  };
  return { client, number, key, wish: wish() };
}

const LOOK_BACK = 12;

/** A person undoes one of their recent changes, whether it succeeded or not. */
function undoOfEarlier(seed: string, client: number, number: number): Wish | null {
  for (let back = 1; back <= Math.min(LOOK_BACK, number); back++) {
    const random = chance(seed, client, number - back);
    const what = random.weighted(WISHES);
    if (what !== 'put' && what !== 'move') continue;
    const earlier = planOperation(seed, client, number - back);
    if ('shelf' in earlier.wish) return { what: 'undo', shelf: earlier.wish.shelf, movement: earlier.key };
  }
  return null;
}

// Per hundred transmissions at noise 1. Cut and lost responses together are one in a hundred.
const PER_CENT: Record<LineKind, number> = {
  'cut-request': 0.5,
  'cut-answer': 0.5,
  'lost-answer': 0.5,
  delay: 0.5,
  twice: 0.5,
  overtaken: 0.5,
  echo: 0.5,
};

/** Requests, and responses with one item, are rarely longer than this, including headers. */
const LONGEST_REQUEST = 700;
const LONGEST_ANSWER = 1_600;

function planMischief(seed: string, { client, number }: Operation, attempt: number, noise: number): Mischief {
  const random = chance(seed, client, number, 'line', attempt);
  const happens = Object.values(PER_CENT).reduce((sum, share) => sum + share, 0) * noise;
  if (random.next() * 100 >= happens) return { kind: 'none' };
  const kind = random.weighted(PER_CENT);
  switch (kind) {
    case 'cut-request':
      return { kind, atByte: random.whole(0, LONGEST_REQUEST) };
    case 'cut-answer':
      return { kind, atByte: random.whole(1, LONGEST_ANSWER) };
    case 'lost-answer':
    case 'twice':
      return { kind };
    case 'delay':
      return { kind, requestMs: random.whole(0, 300), answerMs: random.whole(0, 300) };
    case 'overtaken':
      return { kind, requestMs: random.whole(100, 500) };
    case 'echo':
      return { kind, after: random.whole(1, 20) };
  }
}
