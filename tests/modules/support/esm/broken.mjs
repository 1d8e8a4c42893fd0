export const x = 1;
  let y = ;
