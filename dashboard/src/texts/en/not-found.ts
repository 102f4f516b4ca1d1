export const texts = {
  documentTitle: 'Not found · Workflow Service',
  notFound: 'Not found',
  notFoundHint: 'The URL may be wrong, or the page was deleted.',
  pageNotFound: 'Page not found',
  goToOverview: 'Go to overview',
};
