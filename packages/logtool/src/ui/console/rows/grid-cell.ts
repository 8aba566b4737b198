/** No table elements: rows are placed one by one, and there are as many as the screen holds. */
export const GRID_CELL = { role: 'gridcell' } as const;
export const GRID_ROW = { role: 'row' } as const;
export const GRID_GROUP = { role: 'rowgroup' } as const;
