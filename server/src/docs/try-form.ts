import { bodyExample, isInExample, parameterExample, whatItNames } from './examples.ts';
import { type Html, html } from './markup.ts';
import type { Operation, Parameter } from './operations.ts';

const legends = { path: 'Path', query: 'Query', header: 'Headers' } as const;

/** Hidden until the script is there that makes it work. */
export function tryForm(operation: Operation): Html {
  const { anchor, method, path, who, streams } = operation;
  const call = html`<span class="unseen"> ${method} ${path}</span>`;
  return html`<details class="try" hidden>
<summary><h4>Try it${call}</h4></summary>
<form data-method="${method}" data-path="${path}" data-who="${who}"${streams ? html` data-streams` : null} autocomplete="off">
${(['path', 'query', 'header'] as const).map((where) => inputs(operation, where))}
${bodyInput(operation)}
<div class="actions">
<button class="button primary" type="submit">${streams ? 'Open the stream' : 'Send'}${call}</button>
${streams ? html`<button class="button quiet" type="button" data-stop hidden>Stop${call}</button>` : null}
</div>
<p class="outcome" role="status"></p>
<div class="answer" hidden>
${streams ? html`<h5>Events, newest first</h5><ol class="events" aria-live="polite" aria-label="Events" tabindex="0"></ol>` : null}
<h5>Body</h5>
<pre class="answer-body" tabindex="0" role="region" aria-label="Body of the answer to ${method} ${path}"></pre>
<h5>Headers</h5>
<dl class="answer-headers"></dl>
</div>
<h5 id="${anchor}-curl">The same with curl</h5>
<div class="sample"><pre data-curl aria-labelledby="${anchor}-curl"></pre></div>
</form>
</details>`;
}

function inputs(operation: Operation, where: Parameter['in']): Html | null {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  if (parameters.length === 0) return null;
  return html`<fieldset><legend>${legends[where]}</legend>
<div class="inputs">${parameters.map((parameter) => input(operation, parameter))}</div>
</fieldset>`;
}

function input(operation: Operation, parameter: Parameter): Html {
  const { name, in: where, schema } = parameter;
  const id = `${operation.anchor}-${where}-${name}`;
  const label = html`<label for="${id}"><code>${name}</code></label>`;
  if (schema.enum) {
    return html`<div class="input">${label}
<select id="${id}" name="${name}" data-in="${where}"><option value="">not sent</option>${schema.enum.map((value) => html`<option>${String(value)}</option>`)}</select></div>`;
  }
  const names = whatItNames(operation, parameter);
  const example = parameterExample(operation, parameter);
  const makesKey = name === 'Idempotency-Key';
  // A key is made fresh and a token is one's own: an invented one would only ever be refused.
  const value = names || makesKey || name === 'Authorization' || !isInExample(parameter) ? '' : example;
  return html`<div class="input">${label}
<div class="with-button"><input id="${id}" name="${name}" data-in="${where}" value="${value}" placeholder="${placeholder(parameter, names)}"${names ? html` data-names="${names}"` : null}${where === 'path' ? html` required` : null} spellcheck="false" autocapitalize="off">
${makesKey ? html`<button class="button quiet small" type="button" data-new-key>Make a new key</button>` : null}
${names === 'item' ? html`<button class="button quiet small" type="button" data-newest-item>Use the newest item</button>` : null}</div></div>`;
}

function placeholder(parameter: Parameter, names: 'item' | 'movement' | null): string {
  if (names === 'movement') return 'filled in once you have seen or made a movement';
  if (names === 'item') return "an item's id";
  if (parameter.name === 'Authorization') return 'filled in once you have sent POST /login';
  return 'not sent';
}

function bodyInput(operation: Operation): Html | null {
  if (operation.sends.length > 0) {
    return html`<div class="input"><label for="${operation.anchor}-file">File</label>
<input type="file" id="${operation.anchor}-file" data-in="file" accept="${operation.sends.join(',')}" required></div>`;
  }
  const body = bodyExample(operation);
  if (!body) return null;
  const text = JSON.stringify(body, null, 2);
  return html`<div class="input"><label for="${operation.anchor}-body">JSON body</label>
<textarea id="${operation.anchor}-body" data-in="body" rows="${text.split('\n').length + 1}" spellcheck="false" autocapitalize="off">
${text}</textarea></div>`;
}
