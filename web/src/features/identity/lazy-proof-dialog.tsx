import { lazyPart } from '../../lazy/lazy-part.tsx';
import { proofRequest } from '../../live/with-proof.ts';

const ProofDialog = lazyPart(async () => (await import('./proof-dialog.tsx')).ProofDialog, { words: 'identity' });

/** The dialog 'Confirm that it is you', while `withProof` asks for it. */
export function LazyProofDialog() {
  const request = proofRequest.use();
  return request && <ProofDialog answer={request.answer} />;
}
