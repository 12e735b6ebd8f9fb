import { seededRandom, uuidOf } from './random.ts';

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
  /** The fault is injected when this many operations have started. */
  at: number;
  durationMs: number;
  /**
   * Random numbers from 0 to 1. `selector` chooses one of several targets; `size` sets the strength or the variant of
   * the fault.
   */
  selector: number;
  size: number;
};

/** Network faults that affect a single request. */
export const networkFaultKinds = [
  'cut-request',
  'cut-answer',
  'lost-answer',
  'delay',
  'twice',
  'overtaken',
  'echo',
] as const;
export type NetworkFaultKind = (typeof networkFaultKinds)[number];

export type NetworkFault =
  | { kind: 'none' }
  | { kind: 'cut-request' | 'cut-answer'; atByte: number }
  | { kind: 'lost-answer' | 'twice' }
  | { kind: 'delay'; requestMs: number; answerMs: number }
  /** The first transmission is delayed for so long that its retry arrives first. */
  | { kind: 'overtaken'; requestMs: number }
  /** The request is sent once more after this many further operations of that person, although it was answered. */
  | { kind: 'echo'; after: number };

/** An item by its number in the plan; the server chooses its id. */
type PlannedAction =
  | { what: 'put'; itemNumber: number; base: number; delta: number }
  | { what: 'move'; itemNumber: number; delta: number }
  | { what: 'undo'; itemNumber: number; movement: string }
  | { what: 'create'; quantity: number }
  | { what: 'delete' | 'restore' | 'read-item' | 'read-ledger'; itemNumber: number }
  | { what: 'read-list' };

export type Operation = { client: number; number: number; key: string; action: PlannedAction };

export type Plan = {
  seed: string;
  clients: number;
  operationsPerClient: number;
  /** The initial quantity of each item. */
  initialQuantities: number[];
  faults: Fault[];
  operation(client: number, number: number): Operation;
  /** The network fault of the n-th transmission of an operation. */
  networkFault(operation: Operation, attempt: number): NetworkFault;
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
  /** The factor by which every fault is shortened. */
  haste?: number;
};

/** Plans a run. All random decisions are made here, from the seed alone. */
export function planRun({ seed, kinds, faults, clients, spacing, noise, haste = 1 }: PlanOptions): Plan {
  const operationsPerClient = Math.ceil((spacing * (faults + 1)) / clients);
  const operation = (client: number, number: number) => planOperation(seed, client, number);
  return {
    seed,
    clients,
    operationsPerClient,
    initialQuantities: INITIAL_QUANTITIES,
    faults: planFaults(seed, kinds, faults, spacing).map((fault) => ({
      ...fault,
      durationMs: fault.durationMs / haste,
    })),
    operation,
    networkFault: (operation, attempt) => planNetworkFault(seed, operation, attempt, noise),
  };
}

// Four items that never run out, two that do, and two that are deleted and restored.
const INITIAL_QUANTITIES = [1_000_000, 1_000_000, 1_000_000, 1_000_000, 30, 30, 500_000, 500_000];
const SCARCE = [4, 5];
const REMOVABLE = [6, 7];

/** Plans the faults: every kind once before any kind twice, in a new order each time. */
function planFaults(seed: string, kinds: readonly FaultKind[], count: number, spacing: number): Fault[] {
  const random = seededRandom(seed, 'faults');
  const faults: Fault[] = [];
  let remaining: FaultKind[] = [];
  while (faults.length < count && kinds.length > 0) {
    if (remaining.length === 0) remaining = [...kinds];
    const kind = random.pick(remaining);
    remaining.splice(remaining.indexOf(kind), 1);
    const [min, max] = DURATION_MS[kind];
    const at = spacing * (faults.length + 1) + random.whole(-Math.floor(spacing / 4), Math.floor(spacing / 4));
    faults.push({ kind, at, durationMs: random.whole(min, max), selector: random.next(), size: random.next() });
  }
  return faults;
}

const DURATION_MS: Record<FaultKind, [min: number, max: number]> = {
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

const ACTION_WEIGHTS = {
  put: 45,
  move: 15,
  undo: 6,
  create: 1,
  delete: 1,
  restore: 2,
  'read-item': 18,
  'read-ledger': 7,
  'read-list': 5,
} as const satisfies Record<PlannedAction['what'], number>;

function planOperation(seed: string, client: number, number: number): Operation {
  const random = seededRandom(seed, client, number);
  const what = random.pickWeighted(ACTION_WEIGHTS);
  const key = uuidOf(seed, client, number);
  const action = (): PlannedAction => {
    switch (what) {
      case 'put':
      case 'move': {
        const itemNumber = random.whole(0, INITIAL_QUANTITIES.length - 1);
        const delta = SCARCE.includes(itemNumber)
          ? random.pick([-4, -3, -1, -1, 3, 4])
          : random.pick([-3, -2, -1, -1, -1, 5]);
        // The base is random, because a screen may be arbitrarily outdated: only the difference counts.
        return what === 'put' ? { what, itemNumber, delta, base: random.whole(10, 999) } : { what, itemNumber, delta };
      }
      case 'undo':
        return undoRecentChange(seed, client, number) ?? { what: 'read-list' };
      case 'create':
        return { what, quantity: random.whole(0, 1_000) };
      case 'delete':
      case 'restore':
        return { what, itemNumber: random.pick(REMOVABLE) };
      case 'read-item':
      case 'read-ledger':
        return { what, itemNumber: random.whole(0, INITIAL_QUANTITIES.length - 1) };
      case 'read-list':
        return { what };
    }
  };
  return { client, number, key, action: action() };
}

const MAX_UNDO_DISTANCE = 12;

/** Plans the undo of one of the person's recent changes, whether that succeeded or not. */
function undoRecentChange(seed: string, client: number, number: number): PlannedAction | null {
  for (let distance = 1; distance <= Math.min(MAX_UNDO_DISTANCE, number); distance++) {
    const random = seededRandom(seed, client, number - distance);
    const what = random.pickWeighted(ACTION_WEIGHTS);
    if (what !== 'put' && what !== 'move') continue;
    const earlier = planOperation(seed, client, number - distance);
    if ('itemNumber' in earlier.action)
      return { what: 'undo', itemNumber: earlier.action.itemNumber, movement: earlier.key };
  }
  return null;
}

// How many of a hundred transmissions have each fault at noise 1. Cut and lost responses together are one in a hundred.
const NETWORK_FAULT_WEIGHTS: Record<NetworkFaultKind, number> = {
  'cut-request': 0.5,
  'cut-answer': 0.5,
  'lost-answer': 0.5,
  delay: 0.5,
  twice: 0.5,
  overtaken: 0.5,
  echo: 0.5,
};

/** The usual maximum length of a request, and of a response with one item, including headers. */
const REQUEST_BYTES = 700;
const RESPONSE_BYTES = 1_600;

function planNetworkFault(seed: string, { client, number }: Operation, attempt: number, noise: number): NetworkFault {
  const random = seededRandom(seed, client, number, 'line', attempt);
  const probability = Object.values(NETWORK_FAULT_WEIGHTS).reduce((sum, share) => sum + share, 0) * noise;
  if (random.next() * 100 >= probability) return { kind: 'none' };
  const kind = random.pickWeighted(NETWORK_FAULT_WEIGHTS);
  switch (kind) {
    case 'cut-request':
      return { kind, atByte: random.whole(0, REQUEST_BYTES) };
    case 'cut-answer':
      return { kind, atByte: random.whole(1, RESPONSE_BYTES) };
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
