// The script of a page that is markup already: the choice of colours.

import { themeButton, wear, worn } from './theme.js';

wear(worn());
document.addEventListener('DOMContentLoaded', () => document.querySelector('.top')?.append(themeButton()));
