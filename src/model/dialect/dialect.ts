/** The names a server goes by: the product's own, or those of the interface document. */
export type Dialect = 'vault' | 'neutral';
