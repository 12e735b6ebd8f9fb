// Whatever the server answers is shown as text: nothing here ever becomes markup.

const MOST_SHOWN = 200_000;
const MOST_EVENTS = 100;

const hints = {
  not_signed_in: ['Sign in on the login page', '/login'],
  invalid_token: ['Get a token with POST /login', '#post-login'],
  key_reused: ['Press “Make a new key” and send again', null],
};

for (const form of document.querySelectorAll('form[data-method]')) setUp(form);
for (const pre of document.querySelectorAll('pre[data-sample]')) {
  if (pre.textContent.includes('$WAREHOUSE')) {
    pre.textContent = pre.textContent.replaceAll('$WAREHOUSE', location.origin);
    offerCopy(pre);
  }
}
setUpContents();
addEventListener('beforeprint', () => {
  for (const shape of document.querySelectorAll('details.shape')) shape.open = true;
});

function setUp(form) {
  const part = (selector) => form.querySelector(selector);
  const newKey = part('[data-new-key]');
  const key = part('[name="Idempotency-Key"]');
  const show = () => {
    part('[data-curl]').textContent = curlOf(requestOf(form));
  };

  if (key) key.value = uuid();
  newKey?.addEventListener('click', () => {
    key.value = uuid();
    show();
    say('A new key stands in Idempotency-Key.');
  });
  part('[data-newest-item]')?.addEventListener('click', () => useNewestItem(form).then(show));
  form.addEventListener('input', (event) => {
    delete event.target.dataset.learnt;
    show();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (form.dataset.busy) return;
    if ('streams' in form.dataset) listen(form);
    else send(form);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });

  show();
  offerCopy(part('[data-curl]'));
  form.closest('details').hidden = false;
}

/** What the form asks for, read the same way for fetch and for curl. */
function requestOf(form) {
  const { method, path, who } = form.dataset;
  const query = new URLSearchParams();
  const headers = [];
  let address = path;
  let body;
  let file;
  for (const input of form.querySelectorAll('[data-in]')) {
    const value = input.dataset.in === 'body' ? input.value : input.value.trim();
    if (input.dataset.in === 'path')
      address = address.replace(`{${input.name}}`, () => segment(value) || `{${input.name}}`);
    else if (input.dataset.in === 'body') body = value;
    else if (input.dataset.in === 'file') file = input.files[0];
    else if (value === '') continue;
    else if (input.dataset.in === 'query') query.append(input.name, value);
    else headers.push([input.name, value]);
  }
  if (body !== undefined) headers.push(['Content-Type', 'application/json']);
  if (file) headers.push(['Content-Type', file.type]);
  const url = location.origin + address + (query.size > 0 ? `?${query}` : '');
  return { method, url, headers, body, file, who, streams: 'streams' in form.dataset };
}

/** One piece of a path. An address with `..` would be another endpoint's before it left the browser. */
function segment(value) {
  return encodeURIComponent(/^\.+$/.test(value) ? `${value} ` : value);
}

async function fetchAs({ method, url, headers, body, file, who }, signal) {
  return fetch(url, {
    method,
    headers,
    body: body ?? file,
    signal,
    cache: 'no-store',
    redirect: 'manual',
    // The token alone opens what takes a token; the cookie stays out of it, as with curl.
    credentials: who === 'bearer' ? 'omit' : 'same-origin',
  });
}

async function send(form) {
  const started = performance.now();
  begin(form, 'Sending…');
  try {
    const response = await fetchAs(requestOf(form));
    const text = await response.text();
    const answer = parsed(text);
    showAnswer(form, response, text, answer);
    showOutcome(form, response, answer, `${Math.round(performance.now() - started)} ms, ${size(text)}`);
    if (response.ok) learn(form, answer);
  } catch (error) {
    failed(form, error);
  } finally {
    end(form);
  }
}

/** A stream by fetch, not EventSource: only so the status, the headers and a place to resume from can be tried. */
async function listen(form) {
  const stop = form.querySelector('[data-stop]');
  const place = form.querySelector('[name="Last-Event-ID"]');
  const list = form.querySelector('.events');
  const control = new AbortController();
  const pressed = () => control.abort();
  let count = 0;
  begin(form, 'Opening…');
  try {
    const response = await fetchAs(requestOf(form), control.signal);
    if (!response.ok || !response.body) {
      const text = await response.text();
      showAnswer(form, response, text, parsed(text));
      showOutcome(form, response, parsed(text), size(text));
      return;
    }
    showAnswer(form, response, '', null);
    outcome(form, 'good', `${response.status} · The stream is open. Change something, here or on another screen.`);
    list.replaceChildren();
    stop.hidden = false;
    stop.addEventListener('click', pressed);
    for await (const event of eventsOf(response.body)) {
      count += 1;
      if (event.id !== null) place.value = event.id;
      list.prepend(eventRow(event));
      while (list.children.length > MOST_EVENTS) list.lastElementChild.remove();
    }
    outcome(form, 'bad', `The server ended the stream after ${counted(count)}.`);
  } catch (error) {
    if (control.signal.aborted)
      outcome(form, 'good', `Stopped after ${counted(count)}. Opened again, it goes on there.`);
    else failed(form, error);
  } finally {
    const hadFocus = document.activeElement === stop;
    stop.removeEventListener('click', pressed);
    stop.hidden = true;
    end(form);
    if (hadFocus) form.querySelector('[type="submit"]').focus();
    form.dispatchEvent(new Event('input'));
  }
}

async function* eventsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
    rest = frames.pop();
    for (const frame of frames) {
      const event = readFrame(frame);
      if (event) yield event;
    }
  }
}

function readFrame(frame) {
  const event = { id: null, name: 'message', data: [] };
  for (const line of frame.split('\n')) {
    const [, field, value] = /^(\w+):? ?(.*)$/.exec(line) ?? [];
    if (field === 'id') event.id = value;
    if (field === 'event') event.name = value;
    if (field === 'data') event.data.push(value);
  }
  return event.data.length > 0 ? { ...event, data: event.data.join('\n') } : null;
}

function eventRow({ id, name, data }) {
  const row = document.createElement('li');
  const head = document.createElement('p');
  const time = new Date().toLocaleTimeString('en-GB');
  head.textContent = [time, name, id].filter(Boolean).join(' · ');
  row.append(head, text('pre', pretty(data, parsed(data))));
  return row;
}

function showAnswer(form, response, body, answer) {
  const headers = form.querySelector('.answer-headers');
  headers.replaceChildren(
    ...[...response.headers].map(([name, value]) => {
      const row = document.createElement('div');
      row.append(text('dt', name), text('dd', value));
      return row;
    }),
  );
  const streaming = form.querySelector('.events') && response.ok;
  const pre = form.querySelector('.answer-body');
  pre.textContent = body === '' ? '(empty)' : pretty(body, answer);
  pre.hidden = streaming;
  pre.previousElementSibling.hidden = streaming;
  form.querySelector('.answer').hidden = false;
}

function showOutcome(form, response, answer, measured) {
  const code = typeof answer?.code === 'string' ? answer.code : null;
  const words = [`${response.status} ${response.statusText}`.trim(), measured];
  if (!response.ok && code) words.push(`${code}: ${String(answer.detail ?? '')}`);
  outcome(form, response.ok ? 'good' : 'bad', words.join(' · '));
  const [hint, href] = (Object.hasOwn(hints, code) && hints[code]) || [];
  if (!hint) return;
  const element = text(href ? 'a' : 'span', hint);
  if (href) element.href = href;
  form.querySelector('.outcome').append(' ', element, '.');
}

function failed(form, error) {
  form.querySelector('.answer').hidden = true;
  outcome(form, 'bad', `No answer: ${error instanceof Error ? error.message : String(error)}`);
}

function outcome(form, kind, words) {
  const line = form.querySelector('.outcome');
  line.textContent = words;
  line.dataset.kind = kind;
}

function begin(form, words) {
  form.dataset.busy = 'yes';
  form.querySelector('[type="submit"]').setAttribute('aria-disabled', 'true');
  outcome(form, 'busy', words);
}

function end(form) {
  delete form.dataset.busy;
  form.querySelector('[type="submit"]').removeAttribute('aria-disabled');
}

/** What an answer names stands ready in the other forms. A list only fills what is empty. */
function learn(form, answer) {
  const isList = Array.isArray(answer);
  const one = isList ? answer[0] : answer;
  if (typeof one !== 'object' || one === null) return;
  fill('item', one._id ?? one.item?._id ?? one.itemId, isList);
  fill('movement', one.movement?.id ?? (one.delta === undefined ? undefined : one.id), isList);
  if (form.dataset.path === '/login' && typeof one.accessToken === 'string') {
    for (const input of document.querySelectorAll('[name="Authorization"]')) {
      input.value = `Bearer ${one.accessToken}`;
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    form.querySelector('.outcome').append(' The token stands ready in GET /my-items.');
  }
}

function fill(what, value, onlyEmpty) {
  if (typeof value !== 'string') return;
  for (const input of document.querySelectorAll(`[data-names="${what}"]`)) {
    if (input.value !== '' && (onlyEmpty || !input.dataset.learnt)) continue;
    input.value = value;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.dataset.learnt = 'yes';
  }
}

async function useNewestItem(form) {
  try {
    const response = await fetch('/inventory-items?limit=1', { cache: 'no-store' });
    const [item] = response.ok ? await response.json() : [];
    if (typeof item?._id !== 'string') return outcome(form, 'bad', 'There is no item yet.');
    form.querySelector('[data-names="item"]').value = item._id;
    say(`The id of ${item.name} stands in the field.`);
  } catch (error) {
    failed(form, error);
  }
}

function curlOf({ method, url, headers, body, file, who, streams }) {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(streams ? ['-N'] : []),
    ...(who === 'user' || who === 'signed-in' ? ['-b cookies.txt'] : []),
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
    ...(file ? [`--data-binary ${quoted(`@${file.name}`)}`] : []),
  ].join(' \\\n  ');
}

function quoted(value) {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

function offerCopy(pre) {
  const button = text('button', 'Copy');
  button.type = 'button';
  button.className = 'copy';
  button.setAttribute('aria-label', 'Copy the curl command');
  button.addEventListener('click', async () => {
    const copied = await copy(pre);
    button.textContent = copied ? 'Copied' : 'Selected';
    say(copied ? 'The curl command is copied.' : 'The curl command is selected; copy it with the keyboard.');
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  pre.after(button);
}

/** Without https only this machine's own address may write to the clipboard; elsewhere the text is selected. */
async function copy(pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(pre);
    return false;
  }
}

function setUpContents() {
  const contents = document.getElementById('contents');
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]));
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  let waiting = false;
  const mark = () => {
    waiting = false;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 3);
    const link = links.get(passed.at(-1)?.id);
    for (const other of links.values()) if (other !== link) other.removeAttribute('aria-current');
    if (!link || link.hasAttribute('aria-current')) return;
    link.setAttribute('aria-current', 'true');
    // Only the contents scroll, never the page.
    const { top, bottom } = link.getBoundingClientRect();
    const box = contents.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) contents.scrollTop += top - box.top - box.height / 2;
  };
  const markSoon = () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  };
  addEventListener('scroll', markSoon, { passive: true });
  addEventListener('resize', markSoon, { passive: true });
  mark();
}

function say(words) {
  document.getElementById('said').textContent = words;
}

function text(tag, words) {
  const element = document.createElement(tag);
  element.textContent = words;
  return element;
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function pretty(body, answer) {
  const shown = answer === null ? body : JSON.stringify(answer, null, 2);
  if (shown.length <= MOST_SHOWN) return shown;
  return `${shown.slice(0, MOST_SHOWN)}\n… and ${(shown.length - MOST_SHOWN).toLocaleString('en-US')} characters more`;
}

function size(body) {
  const bytes = new Blob([body]).size;
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

function counted(count) {
  return count === 1 ? '1 event' : `${count} events`;
}

/** crypto.randomUUID is there under https and on this machine's own address only. */
function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
