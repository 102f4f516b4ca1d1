export const texts = {
  typeWithCondition: (type: string, condition: string) => `${type} · if ${condition}`,
  nodeWithCondition: (name: string, condition: string) => `${name}, if ${condition}`,
};
