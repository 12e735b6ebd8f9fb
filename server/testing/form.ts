/** FORM=long npm test runs the long variants of the tests. */
export const isLongForm = process.env.FORM === 'long';
