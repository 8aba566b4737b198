/**
 * How a sign-in address passes the page token to the page: in the fragment, which browsers do not send to
 * servers. The page puts it into the storage of its origin.
 */
export const PAGE_TOKEN_FRAGMENT = '#logtool-page-token=';
