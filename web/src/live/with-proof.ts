import { ApiProblem } from '../api/client.ts';
import { createStore } from '../ui/store.ts';

/** The question 'Confirm that it is you', while it is open. `answer` is called with whether the user has proved it. */
export const proofRequest = createStore<{ answer: (isProven: boolean) => void } | null>(null);

/**
 * Runs `action`. If the server wants a fresh proof of who the user is, asks for it and runs `action` again. When the
 * user closes the dialog instead, the refusal `proof_needed` is thrown.
 */
export async function withProof<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.code !== 'proof_needed') throw problem;
    if (!(await askForProof())) throw problem;
    return action();
  }
}

async function askForProof(): Promise<boolean> {
  // Only one dialog is open at a time.
  proofRequest.get()?.answer(false);
  const isProven = await new Promise<boolean>((answer) => proofRequest.set({ answer }));
  proofRequest.set(null);
  return isProven;
}
