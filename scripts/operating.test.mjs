import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { productPackages } from './lock-packages.mjs';
import { repository } from './terminal.mjs';

const read = (file) => readFileSync(path.join(repository, file), 'utf8');
const manual = read('docs/operating.md');
const manifest = JSON.parse(read('package.json'));

describe('docs/operating.md and the files in deploy/', () => {
  test('name only variables that the server reads', () => {
    const reader = read('server/src/config.ts');
    // Variables that are not for the server but for PostgreSQL's image, etcd, Node or deploy/cluster.
    const others = /^(?:POSTGRES_|ETCD|CLUSTER_|NODE_ENV$)/;
    const files = ['deploy/compose.yaml', 'deploy/compose.env.example', 'deploy/cluster/app.env'];
    const settings = [...files.map(read), unitOf(read('deploy/systemd/perfume-warehouse.service')), shellOf(manual)]
      .flatMap((text) => [...text.matchAll(/^[ -]*(?:[A-Za-z ]*[ =])?([A-Z][A-Z_]+)(?:=|: )/gm)])
      .map(([, name]) => name);
    const mentioned = [...manual.matchAll(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, name]) => name);
    const names = new Set([...settings, ...mentioned].filter((name) => !others.test(name)));
    expect([...names]).toEqual(
      expect.arrayContaining(['PUBLIC_URL', 'AUTH_SECRET', 'TRUST_PROXY', 'DATA_DIR', 'HOST']),
    );
    // A secret can also be given as a file: `AUTH_SECRET_FILE`.
    const isRead = (name) =>
      reader.includes(`  ${name}: `) || (name.endsWith('_FILE') && reader.includes(`  '${name.slice(0, -5)}',\n`));
    expect([...names].filter((name) => !isRead(name))).toEqual([]);
  });

  test('name only metrics that the server exports', () => {
    const shown = read('server/src/http/metrics.ts') + read('server/src/app.ts');
    const folder = 'deploy/monitoring';
    const texts = [manual, ...readdirSync(path.join(repository, folder)).map((file) => read(`${folder}/${file}`))];
    const names = texts.flatMap((text) => text.match(/\b(?:http|nodejs|process)_[a-z_]+\b/g) ?? []);
    expect(names.length).toBeGreaterThan(20);
    const unknown = names.filter((name) => !shown.includes(name.replace(/_(?:bucket|sum|count)$/, '')));
    expect([...new Set(unknown)]).toEqual([]);
  });

  test('name only commands that npm has', () => {
    const commands = [...manual.matchAll(/npm run (?:--silent )?([a-z-]+)/g)].map(([, name]) => name);
    expect(commands.filter((name) => !manifest.scripts[name])).toEqual([]);
  });
});

describe('the secrets in deploy/', () => {
  test('reach the containers and the service as files, never as variables', () => {
    const secrets = /^ +(?:DATABASE_URL|DATABASE_OWNER_URL|AUTH_SECRET\w*|SMTP_URL|POSTGRES_\w*PASSWORD):/m;
    const compose = read('deploy/compose.yaml');
    expect(compose.replace(/_FILE: \/run\/secrets\//g, '')).not.toMatch(secrets);
    const used = [...compose.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name);
    for (const name of used) {
      expect(compose).toContain(`  ${name}: { file: ./secrets/${name} }`);
      expect(manual).toMatch(new RegExp(`\\b${name}\\b`));
    }
    // The server's container never sees what only the owner of the database needs.
    const app = compose.slice(compose.indexOf('\n  app:\n'), compose.indexOf('\n  db:\n'));
    expect(app).toContain('secrets: [database_url, auth_secret, auth_secret_previous, smtp_url]\n');
    const unit = read('deploy/systemd/perfume-warehouse.service');
    expect(unit).toMatch(/^LoadCredential=smtp_url:/m);
    expect(unit).toMatch(/^Environment=.*SMTP_URL_FILE=%d\/smtp_url/m);
  });
});

describe('the image', () => {
  test('copies the manifest of every workspace, or npm ci refuses the lock file', () => {
    const [dockerfile, ignored] = [read('Dockerfile'), read('.dockerignore').split('\n')];
    for (const workspace of manifest.workspaces) {
      expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
      expect(ignored.includes(`!${workspace}`) || ignored.includes(`!${workspace}/package.json`)).toBe(true);
    }
  });

  test('contains the root tsconfig that the front end extends', () => {
    const { extends: base } = JSON.parse(read('web/tsconfig.json'));
    expect(read('.dockerignore').split('\n')).toContain(`!${path.normalize(path.join('web', base))}`);
  });

  test('does not run as root', () => {
    const last = read('Dockerfile')
      .split(/^FROM /m)
      .at(-1);
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
  });
});

describe('a folder with only what the image contains', () => {
  const image = mkdtempSync(path.join(tmpdir(), 'perfume-image-'));
  const data = path.join(image, 'data');
  afterAll(() => rmSync(image, { recursive: true }));
  copyImage(image);
  /** Runs Node as the image does. A production server without a mail server refuses to start. */
  const run = (...args) => {
    const { NODE_COMPILE_CACHE } = process.env;
    const production = { NODE_ENV: 'production', DATA_DIR: data, PUBLIC_URL: 'https://stock.example.com' };
    const env = { PATH: '', ...production, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: image,
      env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return stdout + stderr;
  };

  test('runs the server and every program', { timeout: 60_000 }, () => {
    // It stops because of its configuration, after everything that it imports was found.
    expect(run('server/src/main.ts')).toMatch('SMTP_URL');
    const open = "const { openDatabase } = await import('./server/src/db/open.ts');";
    mkdirSync(data);
    expect(run('-e', `${open} await (await openDatabase('data/warehouse.sqlite')).close()`)).toBe('');
    expect(run('server/src/programs/verify.ts')).toMatch('intact');
    expect(run('server/src/programs/backup.ts')).toMatch('The checkpoints in it were not checked');
    const [backup] = readdirSync(path.join(data, 'backups'));
    expect(run('server/src/programs/restore.ts', `data/backups/${backup}`, '--replace')).toMatch(
      'The checkpoints in it were not checked',
    );
    expect(run('server/src/programs/end-sign-ins.ts', '--everyone')).toMatch('Everyone is logged out');
    for (const name of ['migrate-to-postgres', 'invite', 'assign-houses', 'operator'])
      expect(run(`server/src/programs/${name}.ts`)).toMatch('Usage');
    expect(run('server/src/programs/migrate.ts')).toMatch('Set DATABASE_OWNER_URL');
  });

  test('has every program of the manual', () => {
    const documented = [...manual.matchAll(/node (server\/src\/programs\/[a-z-]+\.ts)/g)].map(([, file]) => file);
    const programs = readdirSync(path.join(repository, 'server/src/programs')).filter((file) => file !== 'terminal.ts');
    expect([...new Set(documented)].sort()).toEqual(programs.map((file) => `server/src/programs/${file}`).sort());
  });
});

describe('the cluster', () => {
  const folder = 'deploy/cluster';
  const [readme, script] = [read(`${folder}/README.md`), read(`${folder}/cluster.sh`)];

  test('fills every placeholder of its templates', () => {
    const [filled] = read(`${folder}/configure.sh`).split('\nchoose() {');
    for (const template of ['patroni.yml', 'haproxy.cfg', 'app.env', 'pgbackrest.conf']) {
      const words = [...read(`${folder}/${template}`).matchAll(/@([A-Z_]+)@/g)].map(([, word]) => word);
      const comment = 'WORDS';
      const missing = words.filter((word) => word !== comment && !filled.includes(`"${word}=`));
      expect([template, missing]).toEqual([template, []]);
    }
  });

  test('has every verb that its README names', () => {
    const rows = readme.slice(readme.indexOf('## Verbs'), readme.indexOf('## Settings')).match(/^\| `.*?` \|/gm) ?? [];
    const verbs = rows.flatMap((row) => [...row.matchAll(/`([a-z-]+)/g)].map(([, verb]) => verb));
    expect(verbs).toContain('kill-node');
    const understood = verbs.filter((verb) => {
      const [action] = verb.split('-');
      return verb.includes('-') ? script.includes(`${action}-*`) : new RegExp(`\\b${verb}\\b.*\\) "\\$1"`).test(script);
    });
    expect(understood).toEqual(verbs);
  });

  test('keeps a healthy primary when etcd is slow twice in a row', () => {
    const patroni = read(`${folder}/patroni.yml`);
    const number = (name) => Number(new RegExp(`^ +${name}: (\\d+)`, 'm').exec(patroni)?.[1]);
    const ttl = Number(/CLUSTER_TTL:-(\d+)/.exec(read(`${folder}/configure.sh`))?.[1]);
    expect(number('loop_wait') + 2 * number('retry_timeout')).toBeLessThanOrEqual(ttl);
  });

  test('allows fewer connections through HAProxy than PostgreSQL accepts', () => {
    const most = Number(/max_connections: (\d+)/.exec(read(`${folder}/patroni.yml`))?.[1]);
    const through = Number(/rise 1 maxconn (\d+)/.exec(read(`${folder}/haproxy.cfg`))?.[1]);
    expect(through).toBeLessThan(most);
  });
});

/** Returns the variables of a systemd unit: turns `Environment=A=1 B=2` into one line per variable. */
function unitOf(unit) {
  const all = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line]) => line);
  return all.join(' ').split(' ').join('\n');
}

/** Returns the contents of all code blocks. */
function shellOf(markdown) {
  return [...markdown.matchAll(/^```\n(.*?)^```/gms)].map(([, text]) => text).join('\n');
}

/** Copies what the last stage of the Dockerfile copies, and links the packages that the server needs at run time. */
function copyImage(folder) {
  const last = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1);
  const copied = [...last.matchAll(/^COPY (?!--from)(\S+) (\S+)$/gm)];
  const isShipped = (file) => !/node_modules|\.test\.tsx?$/.test(file);
  for (const [, from, to] of copied)
    cpSync(path.join(repository, from), path.join(folder, to === './' ? from : to), {
      recursive: true,
      filter: isShipped,
    });
  for (const name of ['', ...manifest.workspaces])
    cpSync(path.join(repository, name, 'package.json'), path.join(folder, name, 'package.json'));
  const link = (from, place) => {
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    symlinkSync(from, path.join(folder, place), 'junction');
  };
  const [, removed = ''] = /rm -rf (vite [^\n]+)/.exec(read('Dockerfile')) ?? [];
  const isRemoved = (place) => removed.split(' ').some((name) => `${place}/`.startsWith(`node_modules/${name}/`));
  const shipped = productPackages(JSON.parse(read('package-lock.json')), ['domain', 'contract', 'server']);
  for (const { place } of shipped) {
    const isNested = place.lastIndexOf('node_modules/') > place.indexOf('node_modules/');
    if (!isNested && !isRemoved(place) && existsSync(path.join(repository, place)))
      link(path.join(repository, place), place);
  }
  for (const name of ['domain', 'contract']) link(path.join(folder, name), `node_modules/@perfume/${name}`);
}
