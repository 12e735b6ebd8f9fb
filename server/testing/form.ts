/** FORM=long npm test: every run of the long tests, for an idle evening. */
export const isLongForm = process.env.FORM === 'long';
