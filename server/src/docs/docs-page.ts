import type { Endpoint } from '@perfume/contract/endpoint';
import { type openApi, whoMayCall } from '@perfume/contract/openapi';
import { problems } from '@perfume/contract/problems';
import { Problem, problemBody } from '../http/problem.ts';
import { curlExample } from './curl.ts';
import { replyExample } from './examples.ts';
import { breakable, type Html, html, prose } from './markup.ts';
import { type Operation, operationsOf, type Parameter, type Reply } from './operations.ts';
import { answerText, fieldList, fieldRow } from './schema-view.ts';
import { tryForm } from './try-form.ts';
import { fieldExceptions, fieldMeanings, parameterExceptions, parameterMeanings } from './words.ts';

// A bottle. In the address itself, so the page asks for nothing that a build may not have made.
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1f1a17" d="M6 0h4v3H6z"/><path fill="#c8963e" d="M6 3h4v1H6z"/><path fill="#8a3f6f" d="M6 4h4c3 1 4 3 4 6s-1 6-3 6H5c-2 0-3-3-3-6s1-5 4-6z"/></svg>')}`;

/** The API reference, whole without a script; the script only lets people try what they read. */
export function docsPage(endpoints: readonly Endpoint[], description: ReturnType<typeof openApi>): string {
  const operations = operationsOf(endpoints, description);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · ${description.info.title}</title>
<meta name="description" content="Every call of Perfume Warehouse, to read and to try: parameters, bodies, answers and errors.">
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/docs/docs.css">
<script type="module" src="/docs/try.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header class="bar">
<a class="brand" href="/">Perfume <span aria-hidden="true">·</span> Warehouse</a>
<button class="button quiet contents-button" type="button" popovertarget="contents">Contents</button>
</header>
<div class="page">
${contents(operations)}
<main id="main" tabindex="-1">
<p class="eyebrow">Version ${description.info.version}</p>
<h1>API reference</h1>
<p class="lead">Every call of the stock ledger, to read and to try. All paths stand at the root of this host; bodies and answers are JSON. A field that is not known is refused, not ignored.</p>
<p>The same as OpenAPI 3.1, for tools: <a href="/openapi.json">openapi.json</a>.</p>
${guide}
${errors()}
<section aria-labelledby="endpoints">
<h2 id="endpoints">Endpoints</h2>
${operations.map(endpointSection)}
</section>
</main>
</div>
<p class="unseen" role="status" id="said"></p>
</body>
</html>
`.html;
}

const chapters: [anchor: string, title: string][] = [
  ['signing-in', 'Signing in'],
  ['idempotency', 'Idempotency-Key'],
  ['stock-base', 'Stock-Base'],
  ['lists', 'Lists'],
  ['errors', 'Errors'],
];

function contents(operations: Operation[]): Html {
  return html`<nav id="contents" class="contents" popover aria-label="Contents">
<ul>
${chapters.map(([anchor, title]) => html`<li><a href="#${anchor}">${title}</a></li>`)}
<li><a href="#endpoints">Endpoints</a>
<ul class="calls">
${operations.map(({ anchor, method, path }) => html`<li><a href="#${anchor}"><span class="verb">${method}</span> <span class="path">${breakable(path)}</span></a></li>`)}
</ul></li>
</ul>
</nav>`;
}

const guide = html`<section aria-labelledby="signing-in">
<h2 id="signing-in">Signing in</h2>
<p>${prose('The cookie says who is calling, on every call but one.')} Sign in on the <a href="/login">login page</a>: ${prose('the server sets an HttpOnly cookie, `perfume` (over https `__Host-perfume`), and this browser sends it along with whatever you try on this page. In demo mode “Live demo” on the')} <a href="/">home page</a> signs you in as the demo dealer.</p>
<p>${prose('The exception is `GET /my-items`: it takes the bearer `accessToken` of')} <a href="#post-login"><code>POST /login</code></a> ${prose('alone. That token lives one hour and opens nothing else; signing out or a password reset ends it at once.')}</p>
<p>${prose('A change that a browser sends from another site is refused with 403 `cross_site`, whatever cookie it carries. An account whose e-mail address is not verified gets 403 `email_not_verified` on everything protected.')}</p>
<p>${prose('Programs keep the cookie in a jar. The examples below read it from `cookies.txt`, and `$WAREHOUSE` is the address of this host. In demo mode this fills the jar:')}</p>
<div class="sample"><pre data-sample><code>curl -X POST "$WAREHOUSE/demo/sign-in" -c cookies.txt</code></pre></div>
</section>
<section aria-labelledby="idempotency">
<h2 id="idempotency">Idempotency-Key</h2>
<p>${prose('Send a change with `Idempotency-Key`, a UUID that the client makes at the click. A request repeated with a known key changes nothing and gets the first answer, byte for byte, refusals included: a lost answer never takes two.')}</p>
<p>${prose('For a change of stock the key becomes the id of the movement. The same key on another request, by another person or with another path, header or body, is refused with 422 `key_reused`. After 503 `outcome_unknown` repeat the request with the same key.')}</p>
</section>
<section aria-labelledby="stock-base">
<h2 id="stock-base">Stock-Base</h2>
<p>${prose('`PUT /inventory-items/{id}` takes the new quantity in its body, and in `Stock-Base` the quantity the person saw. The server applies the difference, body minus base, to whatever is on the shelf now, in one conditional update.')}</p>
<p>${prose('Two people both see 42 and each send `Stock-Base: 42` with quantity 41: exactly two units leave, 40 remain, and nobody has to try again. What would go below zero is refused with 409 `out_of_stock`, says how many are `onHand`, and changes nothing.')}</p>
<p>${prose('`If-Match: "{version}"` is the strict form, for counts: 412 `stale_version` with the current item when it has changed since it was read. With neither header `PUT` is a plain set; the ledger records the difference.')}</p>
</section>
<section aria-labelledby="lists">
<h2 id="lists">Lists</h2>
<p>${prose('Lists are plain arrays. `X-Total-Count` says how many items match, and `Link: <…>; rel="next"` leads to the next page; without it this page is the last. A cursor is stable while items come and go: no item is shown twice or skipped.')}</p>
<p>${prose('With no `limit`, `/inventory-items` answers 50, the other lists of items 1,000, and the movements of an item 50.')}</p>
</section>`;

function errors(): Html {
  const example = problemBody(new Problem('out_of_stock', { onHand: 0 }), '3b0e7f52-9c1d-4a68-b7e4-05d2c8f1a6e9');
  return html`<section aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>${prose('An error is `application/problem+json` (RFC 9457). Switch on `code`, which is stable; `detail` is for people and may change. `requestId` finds the request in the log. Bad input adds `fields`, a message for each; 409 `out_of_stock` and `over_full` add `onHand`; 412 adds the current `item`. 429 and 503 say in `Retry-After` how many seconds to wait.')}</p>
<p>${prose('The order of checks: parse, rate, who, may, key already known, field rules, exists, `If-Match`, apply.')}</p>
<div class="sample"><pre><code>${JSON.stringify(example, null, 2)}</code></pre></div>
<table>
<caption>All codes</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(problems).map(([code, { status, detail }]) => html`<tr id="problem-${code}"><td class="number">${status}</td><th scope="row"><code>${breakable(code)}</code></th><td>${detail}</td></tr>`)}
</tbody>
</table>
</section>`;
}

function endpointSection(operation: Operation): Html {
  const { anchor, method, path, summary, description, who, parameters, body, sends, replies } = operation;
  return html`<section class="endpoint" aria-labelledby="${anchor}">
<h3 id="${anchor}"><span class="method" data-method="${method}">${method}</span> <a class="path" href="#${anchor}">${breakable(path)}</a></h3>
<p class="summary">${prose(summary)}.</p>
<div class="columns">
<div class="facts">
<h4>Who may call</h4>
<p>${prose(whoMayCall[who])}</p>
${description ? html`<p>${prose(description)}</p>` : null}
${parameterGroup(
  operation,
  'Path',
  parameters.filter((parameter) => parameter.in === 'path'),
)}
${parameterGroup(
  operation,
  'Query',
  parameters.filter((parameter) => parameter.in === 'query'),
)}
${parameterGroup(
  operation,
  'Headers',
  parameters.filter((parameter) => parameter.in === 'header'),
)}
${body ? html`<h4>Body</h4>${fieldList(body, { ...fieldMeanings, ...fieldExceptions[operation.key] })}` : null}
${sends.length > 0 ? html`<h4>Body</h4><p>${prose(`The file itself, as ${sends.map((type) => `\`${type}\``).join(', ')}; no JSON and no form around it.`)}</p>` : null}
${replies.map((reply) => replyFields(operation, reply))}
<h4>Problems</h4>
<ul class="problems">${operation.problems.map((code) => html`<li><a href="#problem-${code}"><span class="number">${problems[code].status}</span> <code>${breakable(code)}</code></a></li>`)}</ul>
</div>
<div class="examples">
<h4>Request</h4>
<div class="sample"><pre data-sample><code>${curlExample(operation)}</code></pre></div>
${replies.map(
  (reply) => html`<h4>Answer ${reply.status}</h4>
<div class="sample"><pre data-sample><code>${answerExample(operation, reply)}</code></pre></div>`,
)}
</div>
</div>
${tryForm(operation)}
</section>
`;
}

function parameterGroup(operation: Operation, title: string, parameters: Parameter[]): Html | null {
  if (parameters.length === 0) return null;
  const meanings = { ...parameterMeanings, ...parameterExceptions[operation.key] };
  return html`<h4>${title}</h4>
<dl class="fields">${parameters.map(({ name, schema, required, description }) => fieldRow(name, schema, required ? '' : 'optional', description || (meanings[name] ?? '')))}</dl>`;
}

function replyFields(operation: Operation, { status, type, schema }: Reply): Html {
  return html`<h4>Reply ${status}</h4>
<p>${answerText(schema)}, <code>${type}</code>.</p>
<details class="shape"><summary>Fields<span class="unseen"> of reply ${status} of ${operation.method} ${operation.path}</span></summary>
${fieldList(schema, { ...fieldMeanings, ...fieldExceptions[operation.key] })}
</details>`;
}

function answerExample(operation: Operation, { schema }: Reply): string {
  const example = replyExample(operation, schema);
  if (!operation.streams) return JSON.stringify(example, null, 2);
  const { id } = example as { id: string };
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(example)}`;
}
