import { createElement, type SVGProps } from 'react';

type Drawing = { node: [tag: string, attributes: object][] };
type Props = SVGProps<SVGSVGElement> & { size: number };

/**
 * Makes an icon from a drawing of lucide-react. The build uses this in place of the function of that package, whose
 * options we do not use (build/small-icons.ts).
 */
export function createIcon({ node }: Drawing) {
  return ({ size, ...rest }: Props) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
