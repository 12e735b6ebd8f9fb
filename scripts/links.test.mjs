import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from './terminal.mjs';

const documents = [
  ...readdirSync(repository).filter((file) => file.endsWith('.md')),
  ...['docs', 'deploy', 'bench'].flatMap((folder) => markdownIn(folder)),
];

test('every relative link in the documents leads to a file, and to a heading if it names one', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'ARCHITECTURE.md', 'docs/operating.md']));
  expect(documents.flatMap((file) => brokenLinks(file, read(file)))).toEqual([]);
});

test.each([
  ['a missing file', '[a](docs/nothing.md)', ['README.md → docs/nothing.md']],
  ['a missing picture', '<img src="docs/nothing.webp">', ['README.md → docs/nothing.webp']],
  ['a missing heading', '[a](docs/operating.md#nothing)', ['README.md → docs/operating.md#nothing']],
  ['a missing heading on the same page', '# One\n[a](#two)', ['README.md → #two']],
  ['nothing in links that work', '# One\n[a](#one) [b](docs/operating.md#scaling) <https://example.com>', []],
  ['nothing in code', '`[a](b.md)`\n```\n[a](b.md)\n```', []],
])('finds %s', (_, text, found) => {
  expect(brokenLinks('README.md', text)).toEqual(found);
});

function brokenLinks(file, markdown) {
  const text = markdown.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, one, other]) => one ?? other,
  );
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(file, text, link))
    .map((link) => `${file} → ${link}`);
}

function leadsSomewhere(file, text, link) {
  const [to, heading] = link.split('#');
  const target = to ? path.join(path.dirname(file), to) : file;
  if (!existsSync(path.join(repository, target))) return false;
  return heading === undefined || headingsOf(to ? read(target) : text).includes(heading);
}

/** Returns the anchors that GitHub derives from the headings of a document. */
function headingsOf(markdown) {
  return [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function read(file) {
  return readFileSync(path.join(repository, file), 'utf8');
}

function markdownIn(folder) {
  return readdirSync(path.join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : markdownIn(file);
    return file.endsWith('.md') ? [file] : [];
  });
}
