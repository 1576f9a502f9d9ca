/** Whether an answer agrees, in any of the languages. */
export const isYes = (answer: string): boolean => /^(?:y|yes|s|sim|j|ja|是|好)$/i.test(answer.trim());
