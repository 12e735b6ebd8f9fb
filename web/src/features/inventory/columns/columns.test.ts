import { expect, test } from 'vitest';
import { columnsText, defaultColumns, moveColumn, parseColumns, toggleColumn, widthVariables } from './columns.ts';

const parse = (text: string) => parseColumns(text) ?? [];
const defaults = defaultColumns.map((column) => ({ column, width: null }));

test('columns and their widths are written as they are read', () => {
  for (const text of ['name,quantity:90,price', 'sku,name', 'name,dealer,stock,price', 'name,update:208'])
    expect(columnsText(parse(text))).toBe(text);
  expect(parse('name,sku:90')).toEqual([
    { column: 'name', width: null },
    { column: 'sku', width: 90 },
  ]);
});

test('the columns of the spec need no text', () => {
  expect(columnsText(defaults)).toBeNull();
  expect(columnsText(parse('name,dealer,stock,price,update'))).toBeNull();
  expect(columnsText(parse('name,dealer,price,stock,update'))).toBe('name,dealer,price,stock,update');
});

test.each([null, '', ',', 'x', 'toString', 'NAME', 'x:90,y'])('no columns are read from %j', (text) => {
  expect(parseColumns(text)).toBeNull();
});

test.each([
  ['price,x,price:90,sku', 'name,price,sku'],
  ['name,sku:9,price:9999,value:-90,email:1e2', 'name,sku,price,value,email'],
  ['name:300,update:90,sku:90:91', 'name,update,sku:90'],
])('what is wrong in %s is ignored', (text, read) => {
  expect(columnsText(parse(text))).toBe(read);
});

test('a column that is shown comes before the buttons, and can be hidden again', () => {
  const more = toggleColumn(defaults, 'sku');
  expect(columnsText(more)).toBe('name,dealer,stock,price,sku,update');
  expect(columnsText(toggleColumn(more, 'sku'))).toBeNull();
  expect(columnsText(toggleColumn(parse('update,name'), 'sku'))).toBe('update,name,sku');
});

test('a column moves by one place, and not beyond the ends', () => {
  expect(columnsText(moveColumn(defaults, 'stock', -1))).toBe('name,stock,dealer,price,update');
  expect(columnsText(moveColumn(defaults, 'stock', 1))).toBe('name,dealer,price,stock,update');
  expect(moveColumn(defaults, 'name', -1)).toEqual(defaults);
  expect(moveColumn(defaults, 'update', 1)).toEqual(defaults);
  expect(moveColumn(defaults, 'sku', 1)).toEqual(defaults);
});

test('name, badges and buttons keep their width when the others shrink', () => {
  expect(widthVariables(parse('name,sku:100,price:80,update'))).toEqual({
    '--columns': '181',
    '--fixed': '384',
    '--width-name': '176',
    '--width-price': '80',
    '--width-sku': '100',
    '--width-update': '208',
  });
});
