/** Loads the code of the library. It has one place, because a second one would split the code of the first visit. */
export const loadLibrary = () => import('./YourLibrary.tsx')
