import { type ImportField, importFields, type Mapping } from '@perfume/domain/imports';

/** The fields of an imported file as the API calls them. */
export const wireFields = {
  id: '_id',
  name: 'name',
  supplierName: 'suplierName',
  quantity: 'quantity',
  priceCents: 'price',
  description: 'description',
  imageUrl: 'img',
  sku: 'sku',
  barcodes: 'barcodes',
  reorderPoint: 'reorderPoint',
  email: 'email',
} as const satisfies Record<ImportField, string>;
export type WireField = (typeof wireFields)[ImportField];

export const toWireField = (field: ImportField): WireField => wireFields[field];
export const fromWireField = (wire: string): ImportField | null =>
  importFields.find((field) => wireFields[field] === wire) ?? null;
export const toWireMapping = (mapping: Mapping) => mapping.map((field) => (field === null ? null : wireFields[field]));
export const fromWireMapping = (mapping: readonly (WireField | null)[]): Mapping =>
  mapping.map((wire) => (wire === null ? null : fromWireField(wire)));
