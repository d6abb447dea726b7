// The page: it follows the URL, and shows the frame.

import { render } from 'preact'
import './frame/theme.css'
import './ui/ui.css'
import './frame/frame.css'
import './views/changes/changes.css'
import './views/item/item.css'
import './views/query/query.css'
import { Frame } from './frame/frame'
import { listenToKeys } from './frame/keyboard'
import { followTheme } from './frame/theme'
import { watchServer } from './state/connection'
import { loadServerInfo } from './state/server'
import { followPlace } from './state/tables'

followTheme()
listenToKeys()
followPlace()
watchServer()
void loadServerInfo()
render(<Frame />, document.getElementById('root')!)
