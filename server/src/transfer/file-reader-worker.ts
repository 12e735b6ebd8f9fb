import { parentPort, workerData } from 'node:worker_threads';
import { readChunks } from './read-chunks.ts';

parentPort?.postMessage(readChunks(Buffer.from(workerData as Uint8Array)));
