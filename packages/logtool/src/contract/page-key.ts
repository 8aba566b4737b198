/**
 * How an address that signs a browser in gives the page token to the page: in the fragment, which browsers send to no
 * server. The page puts it into the storage of its origin.
 */
export const PAGE_TOKEN_FRAGMENT = '#logtool-page-token=';
