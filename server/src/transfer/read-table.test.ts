import { describe, expect, test } from 'vitest';
import { zip } from '../../testing/zip.ts';
import { readTable, UnreadableTable } from './read-table.ts';

/** The cells of the rows, or the code of what to do about the file. */
function read(bytes: Buffer): string[][] | string {
  try {
    return readTable(bytes).rows.map(([, cells]) => cells);
  } catch (error) {
    if (error instanceof UnreadableTable) return error.fieldError.code;
    throw error;
  }
}

const utf8 = (text: string) => Buffer.from(text);
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const bom = (...bytes: number[]) => Buffer.from(bytes);
const TABLE = [
  ['Name', 'Prix'],
  ['Été', '12,50'],
];
const CSV = 'Name;Prix\nÉté;12,50\n';

describe('text', () => {
  test.each<[string, Buffer, string[][] | string]>([
    ['UTF-8', utf8(CSV), TABLE],
    ['UTF-8 with a byte order mark', Buffer.concat([bom(0xef, 0xbb, 0xbf), utf8(CSV)]), TABLE],
    ['UTF-16LE with a byte order mark', Buffer.concat([bom(0xff, 0xfe), Buffer.from(CSV, 'utf16le')]), TABLE],
    ['UTF-16BE with a byte order mark', Buffer.concat([bom(0xfe, 0xff), utf16be(CSV)]), TABLE],
    ['UTF-16LE without one', Buffer.from(CSV, 'utf16le'), TABLE],
    ['UTF-16BE without one', utf16be(CSV), TABLE],
    ['Latin-1', latin1(CSV), TABLE],
    [
      'Windows-1252 with a euro sign',
      Buffer.concat([utf8('Name,Prix\nOud,"12 '), bom(0x80), utf8('"\n')]),
      [
        ['Name', 'Prix'],
        ['Oud', '12 €'],
      ],
    ],
    [
      'semicolons, and decimal commas',
      utf8('a;b\n1,5;2,5\n3,5;4,5'),
      [
        ['a', 'b'],
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    ],
    [
      'tabs, as pasted from a spreadsheet',
      utf8('a\tb\n1\t2'),
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'vertical bars',
      utf8('a|b\n1|2'),
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['one column', utf8('name\nOud\nIris'), [['name'], ['Oud'], ['Iris']]],
    [
      'a first line that names the delimiter',
      utf8('sep=;\r\na;b\r\n1,0;2'),
      [
        ['a', 'b'],
        ['1,0', '2'],
      ],
    ],
    [
      'line breaks of Windows',
      utf8('a,b\r\n1,2\r\n'),
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'line breaks of old Macs',
      utf8('a,b\r1,2\r'),
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a quoted line break, delimiter and quotation mark',
      utf8('a,b\n"one\ntwo, ""three""",2'),
      [
        ['a', 'b'],
        ['one\ntwo, "three"', '2'],
      ],
    ],
    [
      'delimiters in quotes only',
      utf8('"a;a";"b"\n"1,1,1,1";2'),
      [
        ['a;a', 'b'],
        ['1,1,1,1', '2'],
      ],
    ],
    ['rows of different lengths', utf8('a,b\n1\n1,2,3'), [['a', 'b'], ['1'], ['1', '2', '3']]],
    [
      'empty rows',
      utf8('a,b\n\n,\n1,2\n\n'),
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['formulas as text', utf8('a\n"=HYPERLINK(""http://x"")"\n+1'), [['a'], ['=HYPERLINK("http://x")'], ['+1']]],
    [
      'numbers as they are written',
      utf8('a;b\n1e3;1.234,56'),
      [
        ['a', 'b'],
        ['1e3', '1.234,56'],
      ],
    ],
    ['200 columns', utf8(Array(200).fill('x').join(',')), [Array(200).fill('x')]],
    ['300 columns', utf8(Array(300).fill('x').join(',')), [Array(300).fill('x')]],
    ['301 columns', utf8(Array(301).fill('x').join(',')), 'table_too_wide'],
    ['an empty file', utf8(''), 'table_empty'],
    ['only a byte order mark', bom(0xef, 0xbb, 0xbf), 'table_empty'],
    ['only delimiters and spaces', utf8(' , \n,,\n'), 'table_empty'],
    ['a quotation mark that is never closed', utf8('a,b\n"1,2\n3,4\n'), 'not_a_table'],
    ['text after a quotation mark', utf8('a,b\n"1"x,2\n'), 'not_a_table'],
    ['a picture', Buffer.concat([bom(0x89), utf8('PNG\r\n\x1a\n\0\0\0\rIHDR')]), 'not_a_table'],
    ['a PDF with a binary part', utf8('%PDF-1.7\n\u0001\u0002\u0003\n'), 'not_a_table'],
    [
      'an old Excel file, or one with a password',
      Buffer.concat([bom(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), Buffer.alloc(600)]),
      'not_a_table',
    ],
    ['200,002 rows', utf8('a\n'.repeat(200_002)), 'table_too_long'],
  ])('%s', (_, bytes, expected) => {
    expect(read(bytes)).toEqual(expected);
  });
});

describe('a workbook', () => {
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\/mm\\/yyyy"/><numFmt numFmtId="165" formatCode="&quot;day&quot; 0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>';
  const workbook = (files: Record<string, string>) => zip({ 'xl/styles.xml': styles, ...files });
  const withRows = (rows: string, files: Record<string, string> = {}) =>
    workbook({ 'xl/worksheets/sheet1.xml': sheet(rows), ...files });
  const cell = (attributes: string, value: string) => `<row r="1"><c r="A1" ${attributes}><v>${value}</v></c></row>`;

  test.each<[string, Buffer, string[][] | string]>([
    ['a number', withRows(cell('', '12.5')), [['12.5']]],
    ['a number with the error of floating point', withRows(cell('', '12.299999999999999')), [['12.3']]],
    ['a long number', withRows(cell('', '3.600523417582E+12')), [['3600523417582']]],
    ['a date as a number of days', withRows(cell('s="1"', '46056')), [['2026-02-03']]],
    ['a date in a format of its own', withRows(cell('s="2"', '46056.75')), [['2026-02-03']]],
    ['a number in a format with a word', withRows(cell('s="3"', '46056')), [['46056']]],
    [
      'a date from 1904',
      withRows(cell('s="1"', '44594'), { 'xl/workbook.xml': '<workbook><workbookPr date1904="1"/></workbook>' }),
      [['2026-02-03']],
    ],
    ['a truth value', withRows(cell('t="b"', '1')), [['true']]],
    ['a formula with its result', withRows('<row r="1"><c r="A1"><f>SUM(B1:B9)</f><v>9</v></c></row>'), [['9']]],
    [
      'an error in place of a result',
      withRows(`${cell('t="e"', '#N/A')}<row r="2"><c r="A2"><v>1</v></c></row>`),
      [['1']],
    ],
    [
      'text in the cell',
      withRows('<row r="1"><c r="A1" t="inlineStr"><is><t>Oud &amp; Iris</t></is></c></row>'),
      [['Oud & Iris']],
    ],
    [
      'shared text in parts, with a hint',
      withRows(cell('t="s"', '1'), {
        'xl/sharedStrings.xml':
          '<sst><si><t>a</t></si><si><r><t>Jas</t></r><r><t>min</t></r><rPh><t>x</t></rPh></si></sst>',
      }),
      [['Jasmin']],
    ],
    [
      'cells and rows that are left out',
      withRows('<row r="2"><c r="C2"><v>1</v></c></row><row r="5"><c r="A5"><v>2</v></c></row>'),
      [['', '', '1'], ['2']],
    ],
    [
      'names with a prefix',
      workbook({
        'xl/worksheets/sheet1.xml':
          '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      }),
      [['7']],
    ],
    [
      'a first sheet that is another file',
      workbook({
        'xl/workbook.xml': '<workbook><sheets><sheet name="Stock" r:id="rId7"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId7" Target="/xl/worksheets/stock.xml"/></Relationships>',
        'xl/worksheets/stock.xml': sheet(cell('', '1')),
      }),
      [['1']],
    ],
    ['macros, which are not read', withRows(cell('', '1'), { 'xl/vbaProject.bin': 'Sub AutoOpen()' }), [['1']]],
    [
      'entities that the file declares, which are not replaced',
      withRows(`<!DOCTYPE x [<!ENTITY lol "lollol">]>${cell('t="str"', '&lol;a')}`),
      [['&lol;a']],
    ],
    ['no sheet', workbook({}), 'not_a_table'],
    ['an empty sheet', withRows(''), 'table_empty'],
    ['a cell beyond the last column', withRows('<row r="1"><c r="XFD1"><v>1</v></c></row>'), 'table_too_wide'],
    ['broken XML', workbook({ 'xl/worksheets/sheet1.xml': '<worksheet><row><c' }), 'not_a_table'],
    ['an archive that is cut off', withRows(cell('', '1')).subarray(0, 120), 'not_a_table'],
    ['another archive', zip({ 'readme.txt': 'hello' }), 'not_a_table'],
    [
      'one text in a hundred thousand cells',
      withRows(`<row>${'<c t="s"><v>0</v></c>'.repeat(300)}</row>`.repeat(400), {
        'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(2_800)}</t></si></sst>`,
      }),
      'table_too_large',
    ],
    [
      'a row that is too long for any item',
      withRows(`<row>${`<c t="str"><v>${'x'.repeat(9_000)}</v></c>`.repeat(7)}</row>`),
      'table_too_large',
    ],
    ['a text that is too long for any field', withRows(cell('t="str"', 'x'.repeat(20_000))), [['x'.repeat(10_001)]]],
    [
      'a file that unpacks to half a gigabyte',
      zip({ 'xl/worksheets/sheet1.xml': Buffer.alloc(500_000_000, ' ') }),
      'table_too_large',
    ],
  ])('%s', (_, bytes, expected) => {
    expect(read(bytes)).toEqual(expected);
  });

  test('keeps the numbers of its rows', () => {
    const { rows } = readTable(withRows('<row r="3"><c r="A3"><v>1</v></c></row>'));
    expect(rows).toEqual([[3, ['1']]]);
  });
});
