import { fieldSentences } from '@perfume/domain/field-errors';
import * as z from 'zod/mini';
import { commonReplyHeaders, type Endpoint, keyScopeOf, tags } from './endpoint.ts';
import { type ProblemCode, problems } from './problems.ts';

/** Problems that any endpoint may return besides its own. */
const COMMON: readonly ProblemCode[] = ['malformed', 'too_many', 'internal', 'unavailable', 'overloaded'];
const BY_WHO: Record<Endpoint['who'], readonly ProblemCode[]> = {
  anyone: [],
  'signed-in': ['not_signed_in'],
  user: ['not_signed_in', 'email_not_verified'],
  bearer: ['invalid_token', 'email_not_verified'],
};

const whoMayCall: Record<Endpoint['who'], string> = {
  anyone: 'anyone, without logging in',
  user: 'a logged-in user with a verified email address, by the session cookie',
  'signed-in': 'a logged-in user, verified or not, by the session cookie',
  bearer: 'the holder of an access token from `POST /login`; the cookie is ignored',
};

const needsProof = 'Needs a login, or `POST /api/auth/prove`, in the last ten minutes.';

/** The API description in OpenAPI 3.1, generated from the endpoints that the server serves and the screens call. */
export function openApi(endpoints: readonly Endpoint[], version: string, support?: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Perfume Warehouse',
      version,
      description:
        'The stock ledger for perfume dealers and suppliers. Errors are `application/problem+json` with a stable `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
      ...(support && { contact: { name: 'Technical support', email: support } }),
    },
    servers: [{ url: '/', description: 'This host' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'perfume',
          description: 'The session cookie, set by logging in or signing up',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From `POST /login`; valid for `GET /my-items` only',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'pw_…',
          description:
            'An API key, made under Settings. `read` may read, `stock` may also deliver, restock, count and undo that, `full` may do what its owner may do, except manage accounts and keys. A wrong, expired or revoked key is refused with 401 `invalid_key`, also where no login is needed',
        },
      },
      schemas: { Problem: problemSchema },
    },
  };
}

function operation(endpoint: Endpoint) {
  const scope = keyScopeOf(endpoint);
  const byKey: ProblemCode[] = scope ? ['invalid_key', 'key_not_allowed'] : [];
  const inHouse: ProblemCode[] = scope ? ['not_allowed', 'no_house', 'house_not_found'] : [];
  const refused = new Set([
    ...COMMON,
    ...BY_WHO[endpoint.who],
    ...byKey,
    ...inHouse,
    ...byShape(endpoint),
    ...endpoint.problems,
  ]);
  const isProtected = endpoint.who !== 'anyone';
  const callers = `Who may call: ${whoMayCall[endpoint.who]}.`;
  const keys = scope ? `API keys: from the scope \`${scope}\`.` : 'API keys: none.';
  return {
    summary: endpoint.summary,
    description: [endpoint.description, endpoint.proof && needsProof, isProtected ? `${callers} ${keys}` : callers]
      .filter(Boolean)
      .join('\n\n'),
    tags: [endpoint.tag],
    operationId: operationId(endpoint),
    security: isProtected
      ? [endpoint.who === 'bearer' ? { accessToken: [] } : { cookie: [] }, ...(scope ? [{ apiKey: [] }] : [])]
      : [],
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
        in: 'header',
        name,
        description,
        schema: { type: 'string' },
      })),
    ],
    ...requestBody(endpoint),
    responses: { ...successes(endpoint), ...failures([...refused]) },
  };
}

function requestBody({ body, sends }: Endpoint) {
  if (sends) return { requestBody: { required: true, content: Object.fromEntries(sends.map((type) => [type, {}])) } };
  if (!body) return {};
  return { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } };
}

/** Problems that an endpoint may return because of its method, body and headers. */
function byShape(endpoint: Endpoint): ProblemCode[] {
  const codes: ProblemCode[] = [];
  if (endpoint.method !== 'GET') codes.push('cross_site', 'outcome_unknown');
  if (endpoint.body) codes.push('not_json', 'too_large');
  if (endpoint.proof) codes.push('proof_needed');
  if (endpoint.headers) codes.push('invalid_header');
  return codes;
}

function operationId(endpoint: Endpoint): string {
  const words = endpoint.path.split(/[/:-]+/).filter(Boolean);
  return [endpoint.method.toLowerCase(), ...words].join('_');
}

function parameters(where: 'path' | 'query', schema: Endpoint['query']) {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    in: where,
    name,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function successes(endpoint: Endpoint) {
  const types = endpoint.gives ?? ['application/json'];
  return Object.fromEntries(
    Object.entries(endpoint.replies).map(([status, schema]) => [
      status,
      {
        description: endpoint.summary,
        headers: headersOf({ ...endpoint.replyHeaders, ...commonReplyHeaders }),
        content: Object.fromEntries(types.map((type) => [type, { schema: jsonSchema(schema, 'output') }])),
      },
    ]),
  );
}

function headersOf(described: Record<string, string>) {
  return Object.fromEntries(
    Object.entries(described).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
}

/** The error responses of an endpoint: one per status, with a description that lists the problem codes. */
function failures(codes: readonly ProblemCode[]) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) byStatus.set(problems[code].status, [...(byStatus.get(problems[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${problems[code].detail}`).join('\n\n'),
        headers: headersOf(commonReplyHeaders),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Zod bounds every integer at ±2^53, and viewers would show −9007199254740991 as the example.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  }) as Record<string, unknown>;
  return rest;
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(problems) },
    detail: { type: 'string' },
    requestId: { type: 'string' },
    fields: {
      type: 'object',
      description: 'What is wrong with each field, as a sentence',
      additionalProperties: { type: 'string' },
    },
    fieldCodes: {
      type: 'object',
      description: 'What is wrong with each field, as a stable code; has the same names as `fields`',
      additionalProperties: { type: 'string', enum: Object.keys(fieldSentences) },
    },
    onHand: { type: 'integer', minimum: 0 },
    item: { type: 'object' },
  },
};
