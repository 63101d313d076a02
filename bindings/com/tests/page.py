"""Prints the README's page of ASP as a VBScript, with the objects of IIS that it uses.

    page.py README [NAME=VALUE...]     the values are those of the query and of the session
"""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
(page,) = re.findall(r"^```asp\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
(code,) = re.findall(r"<%(?!@)(.*?)%>", page, re.DOTALL)
print("""Dim Request, Response, Session, Server
Class Page
    Public Values
    Public Sub Write(text): WScript.Echo text: End Sub
    Public Sub Redirect(url): WScript.Echo url: End Sub
    Public Function HTMLEncode(text): HTMLEncode = text: End Function
    Public Function CreateObject(name): Set CreateObject = Made(name): End Function
    Public Function QueryString(name): QueryString = Values(name): End Function
End Class
Function Made(name): Set Made = CreateObject(name): End Function
Set Response = New Page: Set Server = New Page: Set Request = New Page
Set Session = CreateObject("Scripting.Dictionary")
Set Request.Values = Session""")
for one in sys.argv[2:]:
    name, value = one.split("=", 1)
    print(f'Session("{name}") = "{value}"')
print(code, 'WScript.Echo "end"')
