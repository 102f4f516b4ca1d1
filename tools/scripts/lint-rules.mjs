/** Lint rules of this project that oxlint does not provide. */

const noEnum = {
  create: (context) => ({
    TSEnumDeclaration: (node) =>
      context.report({ node, message: 'Write a union of strings instead of an enum.' }),
  }),
};

export default { meta: { name: 'project' }, rules: { 'no-enum': noEnum } };
