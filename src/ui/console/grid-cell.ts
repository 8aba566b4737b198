/** A cell of the log's grid. No table element: rows are placed one by one, and there are as many as the screen holds. */
export const GRID_CELL = { role: 'gridcell' } as const;
