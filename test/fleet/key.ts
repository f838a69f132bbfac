/** Key of the stores of all processes. */
export const key = 'a key that all processes of the fleet know';
