import { expect, test } from 'vitest';
import { asker, fairQueue } from './fair-queue.ts';

test('whoever has many jobs waits for the one job of somebody else', async () => {
  const queue = fairQueue();
  const order: string[] = [];
  const add = (who: string, name: string) => asker.run(who, () => queue.run(async () => void order.push(name)));
  const jobs = [
    ...['a1', 'a2', 'a3'].map((name) => add('a', name)),
    add('b', 'b1'),
    ...['c1', 'c2'].map((n) => add('c', n)),
  ];
  expect(queue.pending()).toBe(5);
  await Promise.all(jobs);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'c2']);
  expect([queue.pending(), queue.isRunning()]).toEqual([0, false]);
});

test('a job that fails rejects only itself, and what is added meanwhile runs too', async () => {
  const queue = fairQueue();
  const later: Promise<string>[] = [];
  const failed = queue.run(async () => {
    later.push(queue.run(async () => 'added meanwhile'));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await Promise.all([...later, queue.run(async () => 'next')])).toEqual(['added meanwhile', 'next']);
});
