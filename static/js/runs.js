/* The list of runs. */

import "./elements/filter-menu.js";
import "./elements/row-keys.js";
