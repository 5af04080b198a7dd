-- Opens ops.hcl and hours.sentinel in Neovim, asks for what users ask for, and prints what Neovim
-- shows as one JSON object.
local seen = {}

local function wait(what, condition)
  assert(vim.wait(120000, condition, 20), 'waited too long for ' .. what)
end

local function open(file)
  vim.cmd.edit(file)
  wait('the language server', function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'vault_policies' })[1]
    return client and client.initialized
  end)
end

local function diagnostics()
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  return vim.tbl_map(function(each)
    return ('%d:%d %s: %s'):format(each.lnum + 1, each.col + 1, each.code, each.message)
  end, vim.diagnostic.get(0))
end

local function hover(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  vim.lsp.buf.hover()
  local shown
  wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then shown = window end
    end
    return shown
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(shown), 0, -1, false)
  vim.api.nvim_win_close(shown, true)
  return lines
end

local function complete(line, column)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line - 1, character = column },
  }
  local answers = assert(vim.lsp.buf_request_sync(0, 'textDocument/completion', params, 120000))
  local _, answer = next(answers)
  return vim.tbl_map(function(item) return item.label end, answer.result.items or answer.result)
end

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

local function format()
  vim.lsp.buf.format({ timeout_ms = 120000 })
  return lines()
end

open('ops.hcl')
seen.filetype = vim.bo.filetype
seen.findings = diagnostics()
seen.hover = hover(1, 8)
local before = lines()
vim.lsp.buf.code_action({ apply = true })
wait('the quick fix', function() return not vim.deep_equal(before, lines()) end)
seen.fixed = lines()
wait('the withdrawal of the finding', function() return #vim.diagnostic.get(0) == 0 end)
seen.completed = complete(5, 10)
seen.formatted = format()
open('hours.sentinel')
seen.sentinel = {
  filetype = vim.bo.filetype,
  findings = diagnostics(),
  hover = hover(1, 15),
  formatted = format(),
}

io.stdout:write(vim.json.encode(seen), '\n')
vim.cmd('qa!')
