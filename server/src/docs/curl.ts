import { bodyExample, isInExample, parameterExample } from './examples.ts';
import type { Operation, Parameter } from './operations.ts';

/** `$WAREHOUSE` stands for this host, whose address the page cannot know before it is asked for; try.js puts it in. */
export function curlExample(operation: Operation): string {
  const sent = operation.parameters.filter(isInExample);
  const value = (parameter: Parameter) => parameterExample(operation, parameter);
  const query = sent
    .filter(({ in: where }) => where === 'query')
    .map((parameter): [string, string] => [parameter.name, value(parameter)]);
  const path = operation.path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = sent.find((one) => one.in === 'path' && one.name === name);
    return parameter ? encodeURIComponent(value(parameter)) : whole;
  });
  const address = query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
  const body = bodyExample(operation);
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}"$WAREHOUSE${address}"`,
    ...(operation.streams ? ['-N'] : []),
    ...(operation.who === 'user' || operation.who === 'signed-in' ? ['-b cookies.txt'] : []),
    ...sent.filter((one) => one.in === 'header').map((one) => `-H ${quoted(`${one.name}: ${value(one)}`)}`),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`] : []),
    ...(operation.sends[0] ? [`-H 'Content-Type: ${operation.sends[0]}'`, '--data-binary @picture.jpg'] : []),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
