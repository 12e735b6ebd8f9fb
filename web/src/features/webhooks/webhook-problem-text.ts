import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import type { Words } from '../../words/words.tsx';

/** Returns why something about a webhook failed, in the language of the page. */
export function webhookProblemText(problem: unknown, words: Words): string {
  const { say } = words;
  if (!(problem instanceof ApiProblem)) return problemText(problem, words);
  switch (problem.code) {
    case 'webhook_not_found':
      return say('webhooks.problem.gone');
    case 'webhook_off':
      return say('webhooks.problem.off');
    case 'delivery_waiting':
      return say('webhooks.problem.waiting');
    case 'delivery_not_found':
      return say('webhooks.problem.noDelivery');
    case 'too_many_webhooks':
      return say('webhooks.problem.tooMany');
    default:
      return problemText(problem, words);
  }
}

/** Returns what is wrong with an address, in the language of the page. */
export function urlErrorText(code: string | undefined, { say }: Words): string | undefined {
  switch (code) {
    case undefined:
      return undefined;
    case 'required':
      return say('field.required');
    case 'not_https':
      return say('webhooks.url.notHttps');
    case 'private_address':
      return say('webhooks.url.private');
    default:
      return say('webhooks.url.wrong');
  }
}
