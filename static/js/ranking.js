/* The ranking page. */

import "./elements/row-keys.js";
import "./elements/wait-for-result.js";
