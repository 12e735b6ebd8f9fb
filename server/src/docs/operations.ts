import type { Endpoint } from '@perfume/contract/endpoint';
import type { openApi } from '@perfume/contract/openapi';
import type { ProblemCode } from '@perfume/contract/problems';

/** The part of JSON Schema that our contract speaks. */
export type Schema = {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
};

export type Parameter = {
  in: 'path' | 'query' | 'header';
  name: string;
  required: boolean;
  description: string;
  schema: Schema;
};

export type Reply = { status: string; type: string; schema: Schema };

/** An endpoint as the reference shows it. */
export type Operation = {
  /** `GET /inventory-items`, as the contract has it: what examples and notes are found by. */
  key: string;
  anchor: string;
  method: Endpoint['method'];
  path: string;
  summary: string;
  /** What the contract says beyond the summary. */
  description: string | null;
  who: Endpoint['who'];
  streams: boolean;
  parameters: Parameter[];
  body: Schema | null;
  /** Media types of a body that is a file. */
  sends: readonly string[];
  replies: Reply[];
  problems: ProblemCode[];
};

type Described = {
  summary: string;
  operationId: string;
  parameters: (Omit<Parameter, 'description' | 'required'> & Partial<Parameter>)[];
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
};

const PROBLEM = 'application/problem+json';
const STREAM = 'text/event-stream';

export function operationsOf(endpoints: readonly Endpoint[], description: ReturnType<typeof openApi>): Operation[] {
  return endpoints.map(({ method, path, who, description: more, sends = [] }) => {
    const wirePath = path.replace(/:(\w+)/g, '{$1}');
    const described = description.paths[wirePath]?.[method.toLowerCase()] as Described;
    const replies = repliesOf(described);
    return {
      key: `${method} ${path}`,
      anchor: described.operationId.replaceAll('_', '-'),
      method,
      path: wirePath,
      summary: described.summary,
      description: more ?? null,
      who,
      streams: replies.some((reply) => reply.type === STREAM),
      parameters: [...described.parameters.map(toParameter), ...(who === 'bearer' ? [authorization] : [])],
      body: described.requestBody?.content['application/json']?.schema ?? null,
      sends,
      replies,
      problems: problemsOf(described),
    };
  });
}

// OpenAPI keeps this header out of the parameters and under `security`; to try the call one has to fill it in.
const authorization: Parameter = {
  in: 'header',
  name: 'Authorization',
  required: true,
  description: '`Bearer` and the access token that `POST /login` gave',
  schema: { type: 'string' },
};

function toParameter(parameter: Described['parameters'][number]): Parameter {
  const name = parameter.in === 'header' ? headerName(parameter.name) : parameter.name;
  return { required: false, description: parameter.schema.description ?? '', ...parameter, name };
}

function headerName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace(/-Id$/, '-ID');
}

function repliesOf({ responses }: Described): Reply[] {
  return Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content)
      .filter(([type]) => type !== PROBLEM)
      .map(([type, { schema }]) => ({ status, type, schema })),
  );
}

/** The description of a failing status names its codes. */
function problemsOf({ responses }: Described): ProblemCode[] {
  return Object.values(responses)
    .filter(({ content }) => PROBLEM in content)
    .flatMap(({ description }) => [...description.matchAll(/^`(\w+)`:/gm)].map((match) => match[1] as ProblemCode));
}
