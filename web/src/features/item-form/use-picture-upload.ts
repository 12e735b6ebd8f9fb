import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { type StoredPicture, uploadPicture } from './upload-picture.ts';

type Upload =
  | { state: 'none' }
  | { state: 'sending'; file: Blob; fraction: number }
  /** `file` is kept for a retry; null when a retry cannot help. */
  | { state: 'failed'; text: string; file: Blob | null }
  | { state: 'stored'; picture: StoredPicture };

type Options = {
  onStored: (picture: StoredPicture) => void;
  /**
   * Called with each new upload. Its promise resolves to false if the upload fails, and to true if it succeeds or is
   * cancelled.
   */
  onUploading: (work: Promise<boolean>) => void;
};

/** Uploads one picture at a time: a new upload cancels the one before. */
export function usePictureUpload({ onStored, onUploading }: Options) {
  const words = useWords();
  const [upload, setUpload] = useState<Upload>({ state: 'none' });
  const control = useRef<AbortController>(null);
  useEffect(() => () => control.current?.abort(), []);

  async function send(file: Blob): Promise<boolean> {
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    setUpload({ state: 'sending', file, fraction: 0 });
    try {
      const picture = await uploadPicture(file, {
        signal: own.signal,
        onSent: (fraction) => setUpload({ state: 'sending', file, fraction }),
      });
      setUpload({ state: 'stored', picture });
      onStored(picture);
      return true;
    } catch (problem) {
      if (own.signal.aborted) return true;
      setUpload({ state: 'failed', text: textOf(problem, words), file: isFinal(problem) ? null : file });
      return false;
    }
  }

  return {
    upload,
    start: (file: Blob) => onUploading(send(file)),
    /** Cancels the upload and clears its state. */
    clear: () => {
      control.current?.abort();
      setUpload({ state: 'none' });
    },
  };
}

function isFinal(problem: unknown): boolean {
  return problem instanceof ApiProblem && (problem.code === 'not_a_picture' || problem.code === 'too_large');
}

const texts = {
  not_a_picture: 'picture.notAPicture',
  too_large: 'picture.tooLarge',
  offline: 'picture.offline',
  too_many: 'picture.tooMany',
} as const;

function textOf(problem: unknown, words: Words): string {
  const code = problem instanceof ApiProblem ? problem.code : '';
  return Object.hasOwn(texts, code) ? words.say(texts[code as keyof typeof texts]) : problemText(problem, words);
}
