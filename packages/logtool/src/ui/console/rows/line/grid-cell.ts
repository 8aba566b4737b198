/** No table elements: rows are positioned one by one, and only as many exist as the screen holds. */
export const GRID_CELL = { role: 'gridcell' } as const;
export const GRID_ROW = { role: 'row' } as const;
export const GRID_GROUP = { role: 'rowgroup' } as const;
